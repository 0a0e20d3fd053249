package dev.ratelimit.benchmarks.report;

import java.util.List;

/**
 * What a table looks like, whatever its figures.
 *
 * @param id its name on the command line and in the page
 * @param title what it is of
 * @param columns what it shows, what it is mainly about first
 * @param comparisons columns that compare that with other rows
 * @param ours how the names of the library's own rows begin, for the chart
 */
public record Layout(String id, String title, List<Metric> columns, List<Comparison> comparisons, String ours) {

	public Layout {
		if (columns.isEmpty()) {
			throw new IllegalArgumentException("A table shows at least one metric: " + id);
		}
		columns = List.copyOf(columns);
		comparisons = List.copyOf(comparisons);
	}

	/**
	 * What the table is mainly about, with its spread.
	 */
	public Metric main() {
		return this.columns.get(0);
	}

}
