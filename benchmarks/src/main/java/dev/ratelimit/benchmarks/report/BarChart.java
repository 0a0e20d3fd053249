package dev.ratelimit.benchmarks.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Draws the main column of a table as SVG: a bar for each median, and a line from the
 * lowest to the highest value. The chart is readable on light and dark pages, and has the
 * colors of the other pictures.
 */
public final class BarChart {

	private static final String STYLE = """
			text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #1f2328; }
			.small { font-size: 11px; fill: #59636e; }
			.title { font-weight: 600; }
			.other { fill: #d1d9e0; }
			.ours { fill: #0969da; }
			.spread { stroke: #59636e; stroke-width: 1.5; }
			@media (prefers-color-scheme: dark) {
			  text { fill: #f0f6fc; }
			  .small { fill: #9198a1; }
			  .other { fill: #3d444d; }
			  .ours { fill: #4493f8; }
			  .spread { stroke: #9198a1; }
			}
			""";

	private static final int NAMES = 250;

	private static final int BARS = 390;

	private static final int WIDTH = NAMES + BARS + 100;

	private static final int LINE = 26;

	private static final int TOP = 40;

	private final Layout layout;

	private final Results results;

	public BarChart(Layout layout, Results results) {
		this.layout = layout;
		this.results = results;
	}

	public String svg() {
		List<String> rows = this.results.rows();
		Metric main = this.layout.main();
		double most = rows.stream()
			.map((row) -> this.results.highest(row, main))
			.max(Comparator.naturalOrder())
			.orElse(1.0);
		StringBuilder svg = new StringBuilder(head(rows));
		for (int i = 0; i < rows.size(); i++) {
			svg.append(bar(rows.get(i), TOP + LINE * i, BARS / most));
		}
		return svg.append("</svg>\n").toString();
	}

	private String head(List<String> rows) {
		int height = TOP + LINE * rows.size() + 10;
		String title = escape(this.layout.title() + ": " + this.layout.main().label());
		return format("""
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" \
				aria-labelledby="title description">
				<title id="title">%s</title>
				<desc id="description">%s</desc>
				<style>
				%s</style>
				<text x="0" y="18" class="title">%s</text>
				""", WIDTH, height, WIDTH, height, title, description(rows), STYLE, title);
	}

	private String description(List<String> rows) {
		Metric main = this.layout.main();
		StringBuilder text = new StringBuilder("Medians, with the lowest and the highest round.");
		rows.forEach((row) -> text.append(' ')
			.append(escape(row))
			.append(": ")
			.append(main.format(this.results.median(row, main)))
			.append('.'));
		return text.toString();
	}

	private String bar(String row, int top, double scale) {
		Metric main = this.layout.main();
		double lowest = NAMES + this.results.lowest(row, main) * scale;
		double highest = NAMES + this.results.highest(row, main) * scale;
		return format("""
				<text x="%d" y="%d" text-anchor="end">%s</text>
				<rect x="%d" y="%d" width="%.1f" height="16" rx="2" class="%s"/>
				<path d="M%.1f %dH%.1f" class="spread"/>
				<text x="%.1f" y="%d" class="small">%s</text>
				""", NAMES - 8, top + 13, escape(row), NAMES, top, this.results.median(row, main) * scale,
				(row.startsWith(this.layout.ours())) ? "ours" : "other", lowest, top + 8, highest, highest + 6,
				top + 12, main.format(this.results.median(row, main)));
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
	}

}
