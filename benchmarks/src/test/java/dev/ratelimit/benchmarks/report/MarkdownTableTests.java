package dev.ratelimit.benchmarks.report;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MarkdownTableTests {

	private static final Layout LAYOUT = new Layout("strict", "Strict", List.of(Metric.DECISIONS, Metric.P99),
			List.of(Comparison.of("floor", Metric.DECISIONS)), "RateLimiter");

	@Test
	void showsMediansSpreadAndMedianOfRatios() {
		Results results = new Results();
		add(results, "floor", 1_000, 0.5);
		add(results, "floor", 2_000, 0.7);
		add(results, "floor", 4_000, 0.6);
		add(results, "RateLimiter", 900, 1);
		add(results, "RateLimiter", 1_000, 2);
		add(results, "RateLimiter", 3_800, 3);
		assertThat(new MarkdownTable(LAYOUT, results).text()).isEqualTo("""
				| row | decisions/s | lowest..highest | of floor | service time p99 ms |
				| --- | ---: | ---: | ---: | ---: |
				| floor | 2,000 | 1,000..4,000 | 1.00 | 0.600 |
				| RateLimiter | 1,000 | 900..3,800 | 0.90 | 2.000 |
				""");
	}

	@Test
	void showsADashForWhatWasNotMeasured() {
		Results results = new Results();
		results.add("RateLimiter", new Figures(Map.of(Metric.DECISIONS, 5.0)));
		assertThat(new MarkdownTable(LAYOUT, results).text()).endsWith("| RateLimiter | 5 | 5..5 | - | - |\n");
	}

	@Test
	void differenceIsPerPartAndNotForTheBaseline() {
		Comparison more = Comparison.more("more", Metric.CLIENT_MICROS, "none", (row) -> 5);
		Results results = new Results();
		results.add("none", new Figures(Map.of(Metric.CLIENT_MICROS, 10.0)));
		results.add("ours", new Figures(Map.of(Metric.CLIENT_MICROS, 12.5)));
		assertThat(more.cell(results, "ours")).isEqualTo("0.50");
		assertThat(more.cell(results, "none")).isEqualTo("-");
	}

	private static void add(Results results, String row, double decisions, double p99) {
		results.add(row, new Figures(Map.of(Metric.DECISIONS, decisions, Metric.P99, p99)));
	}

}
