package dev.ratelimit.benchmarks.report;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecordingTests {

	@Test
	void readsWhatItWrote() {
		Results results = new Results();
		results.add("RateLimiter, strict: 1,000 keys",
				new Figures(Map.of(Metric.DECISIONS, 123.5, Metric.P99, Double.NaN)));
		results.add("RateLimiter, strict: 1,000 keys", new Figures(Map.of(Metric.DECISIONS, 1e7)));
		results.add("bucket4j's starter", new Figures(Map.of(Metric.DECISIONS, 1.0)));
		List<String> lines = new Recording(List.of("Machine: 2 cores, fast"), Map.of("strict", results)).toCsv();
		Recording read = Recording.parse(lines);
		assertThat(read.environment()).containsExactly("Machine: 2 cores, fast");
		assertThat(read.toCsv()).isEqualTo(lines);
		assertThat(read.tables().get("strict")).satisfies((same) -> {
			assertThat(same.rows()).isEqualTo(results.rows());
			assertThat(same.of("RateLimiter, strict: 1,000 keys"))
				.isEqualTo(results.of("RateLimiter, strict: 1,000 keys"));
		});
	}

	@Test
	void sayWhichLineIsWrong() {
		assertThatThrownBy(() -> Recording.parse(List.of("strict;1"))).hasMessageContaining("strict;1");
	}

}
