package dev.ratelimit.benchmarks.overload;

import java.util.Scanner;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Serves what the backend does. Each line of the standard input is a factor: from then
 * on, the backend takes as many times as long.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class OverloadApplication {

	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(OverloadApplication.class, args);
		Backend backend = context.getBean(Backend.class);
		Thread orders = new Thread(() -> follow(backend), "orders");
		orders.setDaemon(true);
		orders.start();
	}

	private static void follow(Backend backend) {
		try (Scanner lines = new Scanner(System.in)) {
			while (lines.hasNextLine()) {
				backend.slowBy(Double.parseDouble(lines.nextLine().trim()));
			}
		}
	}

}
