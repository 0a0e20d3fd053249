package dev.ratelimit.benchmarks.openloop;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A limiter in front of the backend, or no limiter.
 *
 * @param name the name in tables and on the command line
 * @param properties the properties of the application
 * @param sheds whether the limiter rejects requests
 */
record OverloadContestant(String name, List<String> properties, boolean sheds) {

	/** The beginning of the names of the library's own rows. */
	static final String OURS = "this library";

	static List<OverloadContestant> all(int slots) {
		List<OverloadContestant> all = new ArrayList<>();
		all.add(new OverloadContestant("nothing", List.of(), false));
		all.add(bulkhead("Bulkhead, no wait", slots, "0ms"));
		all.add(bulkhead("Bulkhead, wait 100 ms", slots, "100ms"));
		all.add(peer("concurrency-limits, Gradient2", "gradient2"));
		all.add(peer("concurrency-limits, Vegas", "vegas"));
		for (String stack : List.of("Tomcat", "WebFlux")) {
			all.add(ours("fixed", String.valueOf(slots), stack));
			all.add(ours("adaptive", "adaptive", stack));
		}
		return List.copyOf(all);
	}

	private static OverloadContestant bulkhead(String name, int slots, String wait) {
		return new OverloadContestant(name, List.of("benchmark.limiter=bulkhead", "benchmark.peer.seats=" + slots,
				"benchmark.peer.max-wait=" + wait), true);
	}

	private static OverloadContestant peer(String name, String limiter) {
		return new OverloadContestant(name, List.of("benchmark.limiter=" + limiter), true);
	}

	private static OverloadContestant ours(String name, String limit, String stack) {
		List<String> properties = new ArrayList<>();
		properties.add("spring.main.web-application-type=" + ((stack.equals("WebFlux")) ? "reactive" : "servlet"));
		properties.add("ratelimit.load.enabled=true");
		properties.add("ratelimit.load.limit=" + limit);
		for (Level level : Level.values()) {
			String classify = "ratelimit.load.classify[" + level.ordinal() + "].";
			properties.add(classify + "paths=/" + level + "/**");
			properties.add(classify + "level=" + level);
		}
		return new OverloadContestant("%s, %s (%s)".formatted(OURS, name, stack), List.copyOf(properties), true);
	}

	String fileName() {
		return this.name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
	}

}
