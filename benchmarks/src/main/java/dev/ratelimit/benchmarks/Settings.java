package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a system property of the same name changes; durations and limits in ISO-8601, as
 * in {@code -Dmeasure=PT4S -Dlimit=10000000/P1D}; {@code -Dcallers=512} stands for those
 * of every scenario.
 */
record Settings(Duration warmup, Duration measure, int rounds, Limit limit, List<Scenario> scenarios) {

	static Settings fromSystemProperties() {
		Duration warmup = Duration.parse(System.getProperty("warmup", "PT2S"));
		Duration measure = Duration.parse(System.getProperty("measure", "PT4S"));
		int rounds = Integer.getInteger("rounds", 5);
		Limit limit = Limit.parse(System.getProperty("limit", "10000000/P1D"));
		return new Settings(warmup, measure, rounds, limit,
				Scenario.all()
					.stream()
					.filter((scenario) -> selected("scenarios").test(scenario.name()))
					.map((scenario) -> scenario.only(selected("rows")))
					.map((scenario) -> scenario.with(Integer.getInteger("callers", scenario.callers())))
					.toList());
	}

	private static Predicate<String> selected(String property) {
		String wanted = System.getProperty(property, "");
		return (name) -> List.of(wanted.split(",")).stream().anyMatch(name::contains);
	}

}
