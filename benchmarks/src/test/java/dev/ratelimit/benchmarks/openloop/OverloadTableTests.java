package dev.ratelimit.benchmarks.openloop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OverloadTableTests {

	private final Map<String, Figures> results = new LinkedHashMap<>();

	@Test
	void theBestIsBoldAndWhatWasNotMeasuredHasNoColumn() {
		add("a peer", Map.of(Measure.GOODPUT, 0.98, Measure.P99, 60.0));
		add("this library, fixed", Map.of(Measure.GOODPUT, 0.97, Measure.P99, 50.04));
		assertThat(new OverloadTable(this.results).text()).contains("""
				|  | 2xx in time of C | p99 ms |
				| --- | ---: | ---: |
				| *bar* | ≥ 0.950 | - |
				| a peer | **0.980** | 60.0 |
				| this library, fixed | 0.970 | **50.0** |
				""").doesNotContain("critical");
	}

	@Test
	void saysWhichBarsAreMissedAndWhoIsBetter() {
		add("a peer", Map.of(Measure.GOODPUT, 0.98, Measure.SLOWER_SECONDS, Double.POSITIVE_INFINITY));
		add("this library, fixed", Map.of(Measure.GOODPUT, 0.90, Measure.SLOWER_SECONDS, 12.0));
		assertThat(new OverloadTable(this.results).text()).endsWith("""
				*this library, fixed.* Bars missed: 2xx in time of C; backend 2x slower, s. \
				Peers that are better: 2xx in time of C (a peer).
				""");
	}

	@Test
	void figuresAreReadAsTheyWereWritten() {
		Figures figures = new Figures(Map.of(Measure.P99, 60.5, Measure.STEP_SECONDS, Double.POSITIVE_INFINITY),
				Map.of(Level.HIGH, List.of(0.5, 0.25)));
		assertThat(Figures.parse(figures.toLines())).isEqualTo(figures);
	}

	private void add(String name, Map<Measure, Double> values) {
		this.results.put(name, new Figures(values, Map.of()));
	}

}
