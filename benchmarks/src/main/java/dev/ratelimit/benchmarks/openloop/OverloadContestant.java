package dev.ratelimit.benchmarks.openloop;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One way to stand before the backend.
 *
 * @param name its name in tables and on the command line
 * @param properties what the application is told
 * @param sheds whether it rejects anything at all
 */
record OverloadContestant(String name, List<String> properties, boolean sheds) {

	/** How the names of the library's own rows begin. */
	static final String OURS = "this library";

	static List<OverloadContestant> all(int slots) {
		List<OverloadContestant> all = new ArrayList<>();
		all.add(new OverloadContestant("nothing", List.of(), false));
		all.add(bulkhead("Bulkhead, no wait", slots, "0ms"));
		all.add(bulkhead("Bulkhead, wait 100 ms", slots, "100ms"));
		all.add(peer("concurrency-limits, Gradient2", "gradient2"));
		all.add(peer("concurrency-limits, Vegas", "vegas"));
		return List.copyOf(all);
	}

	private static OverloadContestant bulkhead(String name, int slots, String wait) {
		return new OverloadContestant(name, List.of("benchmark.limiter=bulkhead", "benchmark.peer.seats=" + slots,
				"benchmark.peer.max-wait=" + wait), true);
	}

	private static OverloadContestant peer(String name, String limiter) {
		return new OverloadContestant(name, List.of("benchmark.limiter=" + limiter), true);
	}

	boolean isOurs() {
		return this.name.startsWith(OURS);
	}

	String fileName() {
		return this.name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
	}

}
