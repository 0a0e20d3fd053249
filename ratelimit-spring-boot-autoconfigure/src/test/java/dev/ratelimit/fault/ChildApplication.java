package dev.ratelimit.fault;

import java.lang.management.ManagementFactory;
import java.util.Scanner;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.fault.FaultApplication.Outages;

import org.springframework.boot.WebApplicationType;

/**
 * An application in a JVM of its own. Does what its standard input says, line by line,
 * and answers each line by one that begins with {@link #MARK}.
 */
public final class ChildApplication {

	static final String MARK = ">> ";

	private ChildApplication() {
	}

	public static void main(String[] arguments) {
		try (Instance instance = Instance.start(WebApplicationType.SERVLET, arguments);
				Scanner commands = new Scanner(System.in)) {
			answer(instance.port());
			while (commands.hasNextLine()) {
				String[] command = commands.nextLine().split(" ");
				answer(switch (command[0]) {
					case "flood" -> flood(instance, command[1], Integer.parseInt(command[2]));
					case "hold" -> hold(instance, command[1], Integer.parseInt(command[2]));
					case "busy" -> Stress.busy(Integer.parseInt(command[1]));
					case "garbage" -> Stress.garbage();
					case "state" -> instance.bean(Outages.class).count() + " " + Stress.collectionMillis();
					default -> heapAndThreads();
				});
			}
		}
	}

	private static void answer(Object text) {
		System.out.println(MARK + text);
		System.out.flush();
	}

	// Made-up keys, as the header of a request would give them.
	private static long flood(Instance instance, String rule, int keys) {
		RateLimiter limiter = instance.bean(RateLimiter.class);
		long allowed = 0;
		for (int i = 0; i < keys; i++) {
			allowed += (limiter.acquire(rule, "header:" + UUID.randomUUID()).block().allowed()) ? 1 : 0;
		}
		return allowed;
	}

	// What is acquired here is not released.
	private static long hold(Instance instance, String rule, int slots) {
		RateLimiter limiter = instance.bean(RateLimiter.class);
		return IntStream.range(0, slots).filter((i) -> limiter.acquire(rule, "global").block().allowed()).count();
	}

	private static String heapAndThreads() {
		System.gc();
		long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
		return used + " " + threads();
	}

	// Tomcat has a worker for each request at a time: how many it has started so far is a
	// matter of chance.
	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !thread.getName().contains("-exec-"))
			.count();
	}

}
