package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The measurements of rows that took turns, and their medians.
 *
 * @param <M> what is measured each time
 */
final class Results<M> {

	private final Map<String, List<M>> rounds = new LinkedHashMap<>();

	Results(List<String> names) {
		names.forEach((name) -> this.rounds.put(name, new ArrayList<>()));
	}

	void add(String name, M measurement) {
		roundsOf(name).add(measurement);
	}

	List<String> names() {
		return List.copyOf(this.rounds.keySet());
	}

	double median(String name, ToDoubleFunction<M> column) {
		return middleOf(sorted(name, column));
	}

	/**
	 * Compares within each round first, which keeps a slow minute of the machine out.
	 */
	double medianRatio(String name, String baseline, ToDoubleFunction<M> column) {
		List<M> own = roundsOf(name);
		List<M> base = roundsOf(baseline);
		return middleOf(IntStream.range(0, own.size())
			.mapToDouble((round) -> column.applyAsDouble(own.get(round)) / column.applyAsDouble(base.get(round)))
			.sorted()
			.toArray());
	}

	double lowest(String name, ToDoubleFunction<M> column) {
		return sorted(name, column)[0];
	}

	double highest(String name, ToDoubleFunction<M> column) {
		double[] sorted = sorted(name, column);
		return sorted[sorted.length - 1];
	}

	private double[] sorted(String name, ToDoubleFunction<M> column) {
		return roundsOf(name).stream().mapToDouble(column).sorted().toArray();
	}

	private static double middleOf(double[] sorted) {
		int middle = sorted.length / 2;
		return (sorted.length % 2 != 0) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

	private List<M> roundsOf(String name) {
		return this.rounds.getOrDefault(name, List.of());
	}

}
