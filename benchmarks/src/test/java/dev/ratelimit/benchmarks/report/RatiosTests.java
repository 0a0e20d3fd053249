package dev.ratelimit.benchmarks.report;

import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Ratios.Line;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RatiosTests {

	private final Results strict = new Results();

	private final Ratios ratios = new Ratios("ratios-redis", List.of(new Line("strict, 64 clients", "strict",
			Metric.DECISIONS, "RateLimiter", "floor", List.of("slow", "fast"))));

	@Test
	void showsTheMedianOfRoundsTheSpreadAndTheBestOther() {
		add("floor", 100, 200, 400);
		add("RateLimiter", 90, 240, 400);
		add("slow", 10, 20, 40);
		add("fast", 50, 80, 240);
		assertThat(this.ratios.text(Map.of("strict", this.strict), List.of("Date: 2026-01-02", "Machine: one")))
			.isEqualTo("""
					| work | ratio | lowest..highest | compared with | best other limiter |
					| --- | ---: | ---: | --- | --- |
					| strict, 64 clients | 1.00 | 0.90..1.20 | floor | fast: 0.50 |

					Date: 2026-01-02. Machine: one.
					""");
	}

	@Test
	void isMeasuredOnlyWithAllRows() {
		assertThat(this.ratios.isMeasured(Map.of())).isFalse();
		add("floor", 1);
		add("RateLimiter", 1);
		assertThat(this.ratios.isMeasured(Map.of("strict", this.strict))).isFalse();
		add("slow", 1);
		add("fast", 1);
		assertThat(this.ratios.isMeasured(Map.of("strict", this.strict))).isTrue();
	}

	private void add(String row, double... decisions) {
		for (double rate : decisions) {
			this.strict.add(row, new Figures(Map.of(Metric.DECISIONS, rate)));
		}
	}

}
