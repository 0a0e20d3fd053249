package dev.ratelimit.fault;

import java.lang.management.ManagementFactory;
import java.util.Scanner;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.fault.FaultApplication.Outages;

import org.springframework.boot.WebApplicationType;

/**
 * An application in a separate JVM. Executes the commands of its standard input, one per
 * line, and replies to each with a line that begins with {@link #MARK}.
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

	// The keys are random, like those from a request header.
	private static long flood(Instance instance, String rule, int keys) {
		RateLimiter limiter = instance.bean(RateLimiter.class);
		long allowed = 0;
		for (int i = 0; i < keys; i++) {
			allowed += (limiter.acquire(rule, "header:" + UUID.randomUUID()).block().allowed()) ? 1 : 0;
		}
		return allowed;
	}

	// The acquired slots are not released.
	private static long hold(Instance instance, String rule, int slots) {
		RateLimiter limiter = instance.bean(RateLimiter.class);
		return IntStream.range(0, slots).filter((i) -> limiter.acquire(rule, "global").block().allowed()).count();
	}

	private static String heapAndThreads() {
		System.gc();
		long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
		return used + " " + threads();
	}

	// Exclude the worker threads of Tomcat, because their number varies with the
	// concurrency of requests.
	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !thread.getName().contains("-exec-"))
			.count();
	}

}
