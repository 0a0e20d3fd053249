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
 * Serves what the backend does. Each line of the standard input is an order. A factor:
 * from then on, the backend takes as many times as long, and a load guard reports how
 * many requests it has shed before the rules, and after them. "look": the application
 * reports its platform threads, its heap after a garbage collection, and how many
 * requests wait in lines; "glance": the same without the collection.
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
