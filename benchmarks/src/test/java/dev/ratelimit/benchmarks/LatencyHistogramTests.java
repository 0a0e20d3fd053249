package dev.ratelimit.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatencyHistogramTests {

	@Test
	void quantilesAreWithinTwoPercent() {
		LatencyHistogram histogram = new LatencyHistogram();
		for (int micros = 1; micros <= 1_000; micros++) {
			histogram.record(micros * 1_000L);
		}
		assertThat(histogram.millisAt(0.5)).isBetween(0.49, 0.5);
		assertThat(histogram.millisAt(0.99)).isBetween(0.97, 0.99);
	}

}
