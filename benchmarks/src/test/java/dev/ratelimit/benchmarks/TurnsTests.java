package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Metric;
import dev.ratelimit.benchmarks.report.Results;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TurnsTests {

	private final List<String> measured = new ArrayList<>();

	@Test
	void eachRoundBeginsWithAnotherRowAndWarmUpDoesNotCount() throws Exception {
		Turns turns = new Turns("test", Stream.of("a", "b", "c").map(this::turn).toList());
		Results results = turns.take(new Pace(Duration.ofSeconds(9), Duration.ZERO, Duration.ofSeconds(1), 2));
		assertThat(String.join("", this.measured)).isEqualTo("ABC" + "abc" + "bca");
		assertThat(results.rows()).containsExactly("a", "b", "c");
		assertThat(results.of("c")).hasSize(2);
	}

	private Turns.WaitResult turn(String row) {
		return new Turns.WaitResult(row, (ramp, time) -> {
			this.measured.add((time.toSeconds() == 9) ? row.toUpperCase(java.util.Locale.ROOT) : row);
			return new Figures(Map.of(Metric.DECISIONS, 1.0));
		});
	}

}
