package dev.ratelimit.benchmarks.report;

import java.util.Locale;
import java.util.function.Function;

/**
 * A column that compares each row with another one of the same table.
 *
 * @param label the column's title
 * @param metric what is compared
 * @param baseline the other row, by row
 * @param way how
 * @param divisor by how much a difference is divided, by row
 */
public record Comparison(String label, Metric metric, Function<String, String> baseline, Way way,
		Function<String, Integer> divisor) {

	/**
	 * A share of one row.
	 */
	public static Comparison of(String baseline, Metric metric) {
		return within("of " + baseline, metric, (row) -> baseline);
	}

	/**
	 * A share of a row that depends on the row.
	 */
	public static Comparison within(String label, Metric metric, Function<String, String> baseline) {
		return new Comparison(label, metric, baseline, Way.RATIO, (row) -> 1);
	}

	/**
	 * How much more than one row, for each of some parts of a row.
	 */
	public static Comparison more(String label, Metric metric, String baseline, Function<String, Integer> parts) {
		return new Comparison(label, metric, (row) -> baseline, Way.DIFFERENCE, parts);
	}

	/**
	 * The cell of a row, or a dash where there is nothing to compare with.
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
	 * How two values are compared.
	 */
	public enum Way {

		/** One is a share of the other. */
		RATIO,

		/** One is more than the other. */
		DIFFERENCE;

		double apply(double own, double base) {
			return (this == RATIO) ? own / base : own - base;
		}

	}

}
