package dev.ratelimit.benchmarks.overload;

import java.lang.management.ManagementFactory;
import java.util.Scanner;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.load.LevelStatus;
import dev.ratelimit.load.LoadGuard;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application that responds when its backend has finished. It reads commands from its
 * standard input, one in each line. A number is a factor: from then on, the service times
 * of the backend are multiplied by it. The load guard, if there is one, then prints the
 * number of requests that it has shed before the rules and after the rules. After
 * {@code look}, the application prints the number of its platform threads, the size of
 * its heap after a garbage collection, and the number of waiting requests. After
 * {@code glance}, it prints the same numbers without a garbage collection.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class OverloadApplication {

	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(OverloadApplication.class, args);
		Backend backend = context.getBean(Backend.class);
		ObjectProvider<LoadGuard> guard = context.getBeanProvider(LoadGuard.class);
		ObjectProvider<RateLimitEngine> engine = context.getBeanProvider(RateLimitEngine.class);
		Thread orders = new Thread(() -> follow(backend, guard, engine), "orders");
		orders.setDaemon(true);
		orders.start();
	}

	private static void follow(Backend backend, ObjectProvider<LoadGuard> guard,
			ObjectProvider<RateLimitEngine> engine) {
		try (Scanner lines = new Scanner(System.in)) {
			while (lines.hasNextLine()) {
				String order = lines.nextLine().trim();
				switch (order) {
					case "look" -> look(engine, true);
					case "glance" -> look(engine, false);
					default -> {
						backend.slowBy(Double.parseDouble(order));
						guard.ifAvailable(OverloadApplication::report);
					}
				}
			}
		}
	}

	private static void look(ObjectProvider<RateLimitEngine> engine, boolean collect) {
		if (collect) {
			System.gc();
		}
		RateLimitEngine limits = engine.getIfAvailable();
		System.out.println("look " + ManagementFactory.getThreadMXBean().getThreadCount() + " "
				+ ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " "
				+ ((limits != null) ? limits.queues().waiting() : 0));
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
