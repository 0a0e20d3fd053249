package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;
import dev.ratelimit.benchmarks.report.Results;

/**
 * The table of the costs of rules that change while the application runs. Each row has
 * one number, and its name contains the required value.
 *
 * @param layout the layout of the table
 * @param parts the measurements, which run one after the other
 */
record LiveTable(Layout layout, List<Part> parts) implements Table {

	static LiveTable create() {
		return new LiveTable(
				new Layout("live", "Rules that change while the application runs", List.of(Metric.FIGURE), List.of(),
						""),
				List.of(new LiveRatios.Live(), new LiveRatios.Edited(), new LiveRatios.Denials(),
						new CandidateRatios(1), new CandidateRatios(TenRules.RULES), new EditionCosts(),
						new EditionStorm(), new LiveInstances(), new LiveCalls()));
	}

	@Override
	public Results measure(Session session) throws Exception {
		Results results = new Results();
		for (Part part : this.parts) {
			if (session.settings().wantsRow(part.name())) {
				System.err.printf("%s: %s%n", this.layout.id(), part.name());
				part.measure(session, (row, figure) -> {
					System.err.printf("%s: %s: %.2f%n", this.layout.id(), row, figure);
					results.add(row, new Figures(Map.of(Metric.FIGURE, figure)));
				});
			}
		}
		return results;
	}

	/**
	 * Measures several rows together.
	 */
	interface Part {

		/** Return the beginning of the names of the rows. */
		String name();

		void measure(Session session, Report report) throws Exception;

	}

	/**
	 * Receives the figures of rows, round by round.
	 */
	interface Report {

		void add(String row, double figure);

	}

}
