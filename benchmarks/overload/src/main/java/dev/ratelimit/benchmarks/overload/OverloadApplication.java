package dev.ratelimit.benchmarks.overload;

import java.util.Scanner;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.load.LevelStatus;
import dev.ratelimit.load.LoadGuard;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Serves what the backend does. Each line of the standard input is a factor: from then
 * on, the backend takes as many times as long. A load guard then reports how many
 * requests it has shed before the rules, and after them.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class OverloadApplication {

	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(OverloadApplication.class, args);
		Backend backend = context.getBean(Backend.class);
		ObjectProvider<LoadGuard> guard = context.getBeanProvider(LoadGuard.class);
		Thread orders = new Thread(() -> follow(backend, guard), "orders");
		orders.setDaemon(true);
		orders.start();
	}

	private static void follow(Backend backend, ObjectProvider<LoadGuard> guard) {
		try (Scanner lines = new Scanner(System.in)) {
			while (lines.hasNextLine()) {
				backend.slowBy(Double.parseDouble(lines.nextLine().trim()));
				guard.ifAvailable(OverloadApplication::report);
			}
		}
	}

	private static void report(LoadGuard guard) {
		long early = 0;
		long late = 0;
		for (Level level : Level.values()) {
			LevelStatus status = guard.status(level);
			early += status.shed();
			late += status.shedLate();
		}
		System.out.println("shed " + early + " " + late);
	}

}
