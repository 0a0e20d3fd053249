package dev.ratelimit.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes results as a Markdown table: medians, and the spread of the first column.
 */
public final class MarkdownTable {

	private final Layout layout;

	private final Results results;

	public MarkdownTable(Layout layout, Results results) {
		this.layout = layout;
		this.results = results;
	}

	/**
	 * Return the lines of the table, each with an end of line.
	 */
	public String text() {
		List<List<String>> lines = new ArrayList<>();
		lines.add(header());
		lines.add(header().stream().map((cell) -> "---:").collect(Collectors.toCollection(ArrayList::new)));
		lines.get(1).set(0, "---");
		this.results.rows().forEach((row) -> lines.add(cells(row)));
		return lines.stream().map((cells) -> "| " + String.join(" | ", cells) + " |\n").collect(Collectors.joining());
	}

	private List<String> header() {
		List<String> cells = new ArrayList<>();
		cells.add("row");
		cells.add(this.layout.main().label());
		cells.add("lowest..highest");
		this.layout.comparisons().forEach((comparison) -> cells.add(comparison.label()));
		others().forEach((metric) -> cells.add(metric.label()));
		return cells;
	}

	private List<String> cells(String row) {
		Metric main = this.layout.main();
		List<String> cells = new ArrayList<>();
		cells.add(row);
		cells.add(main.format(this.results.median(row, main)));
		cells.add(main.format(this.results.lowest(row, main)) + ".." + main.format(this.results.highest(row, main)));
		this.layout.comparisons().forEach((comparison) -> cells.add(comparison.cell(this.results, row)));
		others().forEach((metric) -> cells.add(cell(row, metric)));
		return cells;
	}

	private String cell(String row, Metric metric) {
		double median = this.results.median(row, metric);
		return (Double.isNaN(median)) ? "-" : metric.format(median);
	}

	private List<Metric> others() {
		return this.layout.columns().subList(1, this.layout.columns().size());
	}

}
