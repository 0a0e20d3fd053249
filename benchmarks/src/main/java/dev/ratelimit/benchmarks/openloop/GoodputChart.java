package dev.ratelimit.benchmarks.openloop;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Draws the responses in time over a run, as SVG for light and dark pages. Each
 * contestant has a panel, and each level has a band in it.
 */
final class GoodputChart {

	private static final String STYLE = """
			text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #1f2328; }
			.small { font-size: 11px; fill: #59636e; }
			.title { font-weight: 600; }
			.critical { fill: #0550ae; } .high { fill: #218bff; } .normal { fill: #a5d6ff; } .low { fill: #d1d9e0; }
			.axis { stroke: #818b98; fill: none; }
			.capacity { stroke: #bc4c00; stroke-dasharray: 4 3; fill: none; }
			.over { fill: #fff1e5; }
			@media (prefers-color-scheme: dark) {
			  text { fill: #f0f6fc; }
			  .small { fill: #9198a1; }
			  .critical { fill: #a5d6ff; } .high { fill: #388bfd; } .normal { fill: #1b4b91; } .low { fill: #484f58; }
			  .axis { stroke: #656c76; }
			  .capacity { stroke: #db6d28; }
			  .over { fill: #2e1a0c; }
			}
			""";

	private static final int COLUMNS = 3;

	private static final int PANEL = 240;

	private static final int LINE = 160;

	private static final int WIDTH = 215;

	private static final int HEIGHT = 100;

	/** The upper edge of a panel, as a multiple of the capacity. */
	private static final double TOP = 1.2;

	private final Plan plan;

	private final Map<String, Figures> results;

	GoodputChart(Plan plan, Map<String, Figures> results) {
		this.plan = plan;
		this.results = results;
	}

	String svg() {
		int lines = (this.results.size() + COLUMNS - 1) / COLUMNS;
		StringBuilder svg = new StringBuilder(head(60 + LINE * lines));
		List<String> names = List.copyOf(this.results.keySet());
		for (int i = 0; i < names.size(); i++) {
			svg.append(format("<g transform=\"translate(%d %d)\">%n", 1 + PANEL * (i % COLUMNS),
					40 + LINE * (i / COLUMNS)))
				.append(panel(names.get(i)))
				.append("</g>\n");
		}
		return svg.append(legend(52 + LINE * lines)).append("</svg>\n").toString();
	}

	private String head(int height) {
		String title = "Responses in time, of what the backend can do";
		return format("""
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" \
				aria-labelledby="title description">
				<title id="title">%s</title>
				<desc id="description">%s</desc>
				<style>
				%s</style>
				<text x="0" y="18" class="title">%s: 0.5 C, 0.8 C, 3 C (shaded), 0.8 C</text>
				""", PANEL * COLUMNS, height, PANEL * COLUMNS, height, title, description(), STYLE, title);
	}

	private String description() {
		return this.results.entrySet()
			.stream()
			.map((row) -> row.getKey() + ": " + Measure.GOODPUT.format(row.getValue().of(Measure.GOODPUT)))
			.collect(Collectors.joining(". ", "2xx in time of the capacity, at three times of it. ", "."));
	}

	private String panel(String name) {
		Map<Level, List<Double>> curves = this.results.get(name).goodput();
		StringBuilder panel = new StringBuilder(format("<text x=\"0\" y=\"12\">%s</text>%n", name));
		panel.append(over());
		long start = this.plan.window(Stage.Name.UNLOADED, List.of()).from();
		int from = (int) (start / 1e9 / Figures.STEP);
		int to = (int) (this.plan.window(Stage.Name.BACK, List.of()).to() / 1e9 / Figures.STEP);
		double[] base = new double[to - from];
		for (Level level : Level.values()) {
			panel.append(band(level, curves.get(level).subList(from, to), base));
		}
		return panel
			.append(format("<path d=\"M0 %.1fH%d\" class=\"capacity\"/>%n<path d=\"M0 20V%dH%d\" class=\"axis\"/>%n",
					y(1), WIDTH, 20 + HEIGHT, WIDTH))
			.toString();
	}

	private String over() {
		double start = seconds(Stage.Name.UNLOADED) + seconds(Stage.Name.BELOW);
		double scale = WIDTH / (start + seconds(Stage.Name.OVER) + seconds(Stage.Name.BACK));
		return format("<rect x=\"%.1f\" y=\"20\" width=\"%.1f\" height=\"%d\" class=\"over\"/>%n", start * scale,
				seconds(Stage.Name.OVER) * scale, HEIGHT);
	}

	private double seconds(Stage.Name name) {
		return this.plan.window(name, List.of()).seconds();
	}

	// The path of a band, in steps: the upper edge forwards, then the lower edge
	// backwards.
	private static String band(Level level, List<Double> values, double[] base) {
		double step = (double) WIDTH / base.length;
		StringBuilder lower = new StringBuilder();
		StringBuilder upper = new StringBuilder();
		for (int i = 0; i < base.length; i++) {
			lower.insert(0, format("L%.1f %.1fL%.1f %.1f", (i + 1) * step, y(base[i]), i * step, y(base[i])));
			base[i] += values.get(i);
			upper.append(format("%s%.1f %.1fH%.1f", (i == 0) ? "M" : "L", i * step, y(base[i]), (i + 1) * step));
		}
		return format("<path d=\"%s%sZ\" class=\"%s\"/>%n", upper, lower, level);
	}

	private static double y(double value) {
		return 20 + HEIGHT * (1 - Math.min(value, TOP) / TOP);
	}

	private static String legend(int y) {
		StringBuilder legend = new StringBuilder();
		int x = 0;
		for (Level level : Level.values()) {
			legend.append(format("""
					<rect x="%d" y="%d" width="12" height="12" class="%s"/>
					<text x="%d" y="%d" class="small">%s</text>
					""", x, y - 10, level, x + 17, y, level));
			x += 80;
		}
		return legend.append(format("""
				<path d="M%d %dh20" class="capacity"/>
				<text x="%d" y="%d" class="small">C, what the backend can do</text>
				""", x, y - 4, x + 25, y)).toString();
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
