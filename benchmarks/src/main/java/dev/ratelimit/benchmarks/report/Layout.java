package dev.ratelimit.benchmarks.report;

import java.util.List;

/**
 * The layout of a table, without its figures.
 *
 * @param id the name of the table on the command line and in the page
 * @param title the title of the table
 * @param columns the metrics of the columns, the main metric first
 * @param comparisons the columns that compare rows with other rows
 * @param ours the beginning of the names of the library's own rows, for the chart
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
	 * Return the main metric, which is shown with its spread.
	 */
	public Metric main() {
		return this.columns.get(0);
	}

}
