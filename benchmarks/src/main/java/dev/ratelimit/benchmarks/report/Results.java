package dev.ratelimit.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

/**
 * The figures of rows that took turns, and their medians.
 */
public final class Results {

	private final Map<String, List<Figures>> rounds = new LinkedHashMap<>();

	/**
	 * Add the figures of a row in its next round.
	 */
	public void add(String row, Figures figures) {
		this.rounds.computeIfAbsent(row, (name) -> new ArrayList<>()).add(figures);
	}

	/**
	 * Return the rows with figures, in the order in which they were added.
	 */
	public List<String> rows() {
		return List.copyOf(this.rounds.keySet());
	}

	/**
	 * Return the figures of a row, by round.
	 */
	public List<Figures> of(String row) {
		return List.copyOf(this.rounds.getOrDefault(row, List.of()));
	}

	public double median(String row, Metric metric) {
		return middleOf(sorted(row, metric));
	}

	public double lowest(String row, Metric metric) {
		return sorted(row, metric)[0];
	}

	public double highest(String row, Metric metric) {
		double[] sorted = sorted(row, metric);
		return sorted[sorted.length - 1];
	}

	/**
	 * Compare two rows within each round, so that a slow minute of the machine has no
	 * effect.
	 * @return the median of the comparisons
	 */
	public double compare(String row, String baseline, Metric metric, DoubleBinaryOperator comparison) {
		return middleOf(compareRounds(row, baseline, metric, comparison));
	}

	/**
	 * Compare two rows within each round.
	 * @return the comparisons, the lowest first
	 */
	double[] compareRounds(String row, String baseline, Metric metric, DoubleBinaryOperator comparison) {
		List<Figures> own = of(row);
		List<Figures> base = of(baseline);
		return IntStream.range(0, Math.min(own.size(), base.size()))
			.mapToDouble((round) -> comparison.applyAsDouble(own.get(round).of(metric), base.get(round).of(metric)))
			.sorted()
			.toArray();
	}

	private double[] sorted(String row, Metric metric) {
		return of(row).stream().mapToDouble((figures) -> figures.of(metric)).sorted().toArray();
	}

	private static double middleOf(double[] sorted) {
		if (sorted.length == 0) {
			return Double.NaN;
		}
		int middle = sorted.length / 2;
		return (sorted.length % 2 != 0) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

}
