package dev.ratelimit.benchmarks.report;

import java.util.Locale;
import java.util.function.Function;

/**
 * A column that compares each row with another row of the same table.
 *
 * @param label the title of the column
 * @param metric the metric that is compared
 * @param baseline the other row, by row
 * @param way the way to compare
 * @param divisor the number by which a comparison is divided, by row
 */
public record Comparison(String label, Metric metric, Function<String, String> baseline, Way way,
		Function<String, Integer> divisor) {

	/**
	 * Return a column with the ratio of each row to one row.
	 */
	public static Comparison of(String baseline, Metric metric) {
		return within("of " + baseline, metric, (row) -> baseline);
	}

	/**
	 * Return a column with the ratio of each row to a row that depends on it.
	 */
	public static Comparison within(String label, Metric metric, Function<String, String> baseline) {
		return new Comparison(label, metric, baseline, Way.RATIO, (row) -> 1);
	}

	/**
	 * Return a column with the difference between each row and one row, divided by the
	 * number of parts of the row.
	 */
	public static Comparison more(String label, Metric metric, String baseline, Function<String, Integer> parts) {
		return new Comparison(label, metric, (row) -> baseline, Way.DIFFERENCE, parts);
	}

	/**
	 * Return the cell of a row, or a dash if there is nothing to compare with.
	 */
	public String cell(Results results, String row) {
		String other = this.baseline.apply(row);
		if (this.way == Way.DIFFERENCE && row.equals(other)) {
			return "-";
		}
		double compared = results.compare(row, other, this.metric, this.way::apply);
		if (Double.isNaN(compared)) {
			return "-";
		}
		return String.format(Locale.ROOT, "%.2f", compared / this.divisor.apply(row));
	}

	/**
	 * The way to compare two values.
	 */
	public enum Way {

		/** The first value is divided by the second one. */
		RATIO,

		/** The second value is subtracted from the first one. */
		DIFFERENCE;

		double apply(double own, double base) {
			return (this == RATIO) ? own / base : own - base;
		}

	}

}
