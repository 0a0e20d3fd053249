package dev.ratelimit.benchmarks;

import java.util.List;

/**
 * A row of the table: how the application limits.
 *
 * @param name what the table calls it
 * @param tells whether its responses tell of limits
 * @param properties what makes the application do so
 */
record HttpRow(String name, boolean tells, List<String> properties) {

	private static final String BASELINE = "no limiter";

	private static final String MEMORY = "memory";

	static List<HttpRow> all() {
		return List.of(new HttpRow(BASELINE, false, List.of("ratelimit.enabled=false", "ratelimit.store=memory")),
				new HttpRow("fields alone", true,
						List.of("ratelimit.enabled=false", "ratelimit.store=memory", "benchmark.fields-alone=true")),
				new HttpRow(MEMORY, true, List.of("ratelimit.store=memory")),
				new HttpRow("Redis exact", true, List.of("ratelimit.store=redis", "ratelimit.deadline=1s")),
				new HttpRow("Redis leased", true, List.of("ratelimit.store=redis", "ratelimit.deadline=1s",
						"ratelimit.rules.hello.consistency=leased")));
	}

	/**
	 * Rows whose one caller is refused nearly always, with the default deadline.
	 */
	static List<HttpRow> refusing() {
		String limit = "ratelimit.rules.hello.limit=10/min";
		return List.of(new HttpRow(MEMORY, true, List.of("ratelimit.store=memory", limit)),
				new HttpRow("Redis exact", true, List.of("ratelimit.store=redis", limit)));
	}

}
