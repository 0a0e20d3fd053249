package dev.ratelimit.benchmarks;

import java.util.List;

/**
 * A row of the table: how the application limits.
 *
 * @param name what the table calls it
 * @param limits whether it limits at all
 * @param properties what makes the application do so
 */
record HttpRow(String name, boolean limits, List<String> properties) {

	static final String BASELINE = "no limiter";

	static List<HttpRow> all() {
		return List.of(new HttpRow(BASELINE, false, List.of("ratelimit.enabled=false", "ratelimit.store=memory")),
				new HttpRow("memory", true, List.of("ratelimit.store=memory")),
				new HttpRow("Redis exact", true, List.of("ratelimit.store=redis", "ratelimit.deadline=1s")),
				new HttpRow("Redis leased", true, List.of("ratelimit.store=redis", "ratelimit.deadline=1s",
						"ratelimit.rules.hello.consistency=leased")));
	}

}
