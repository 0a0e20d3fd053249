package dev.ratelimit.benchmarks.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Comparisons of the library's rows with other rows, for readers that want a number
 * without the tables.
 *
 * @param id the name of the block in the page
 * @param lines the comparisons
 */
public record Ratios(String id, List<Line> lines) {

	private static final String HEADER = """
			| work | ratio | lowest..highest | compared with | best other limiter |
			| --- | ---: | ---: | --- | --- |
			""";

	/**
	 * Return whether all compared rows were measured in one run.
	 */
	public boolean isMeasured(Map<String, Results> tables) {
		return this.lines.stream().allMatch((line) -> line.isMeasured(tables));
	}

	/**
	 * Return the text of the block.
	 * @param tables the tables of the run, by their names
	 * @param environment the environment of the run, one line for each fact
	 * @return the text in Markdown
	 */
	public String text(Map<String, Results> tables, List<String> environment) {
		StringBuilder text = new StringBuilder(HEADER);
		for (Line line : this.lines) {
			text.append(line.text(tables.get(line.table())));
		}
		return text + "\n" + String.join(". ", environment) + ".\n";
	}

	/**
	 * One comparison.
	 *
	 * @param work the work that is measured
	 * @param table the table that has the rows
	 * @param metric the metric that is compared
	 * @param row the library's row
	 * @param baseline the row that it is compared with
	 * @param others the rows of other limiters
	 */
	public record Line(String work, String table, Metric metric, String row, String baseline, List<String> others) {

		private boolean isMeasured(Map<String, Results> tables) {
			Results results = tables.get(this.table);
			return results != null && results.rows().containsAll(List.of(this.row, this.baseline))
					&& results.rows().containsAll(this.others);
		}

		private String text(Results results) {
			double[] rounds = results.compareRounds(this.row, this.baseline, this.metric, (own, base) -> own / base);
			String best = this.others.stream()
				.max(Comparator.comparingDouble((other) -> ratio(results, other)))
				.map((other) -> other + ": " + number(ratio(results, other)))
				.orElse("-");
			return "| %s | %s | %s..%s | %s | %s |%n".formatted(this.work, number(ratio(results, this.row)),
					number(rounds[0]), number(rounds[rounds.length - 1]), this.baseline, best);
		}

		private double ratio(Results results, String of) {
			return results.compare(of, this.baseline, this.metric, (own, base) -> own / base);
		}

		private static String number(double ratio) {
			return String.format(Locale.ROOT, "%.2f", ratio);
		}

	}

}
