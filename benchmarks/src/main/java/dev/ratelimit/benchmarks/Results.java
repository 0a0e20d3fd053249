package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The measurements of one scenario, by contestant, and their medians.
 */
final class Results {

	private final Map<String, List<Measurement>> rounds = new LinkedHashMap<>();

	Results(List<Entry> entries) {
		entries.forEach((entry) -> this.rounds.put(entry.name(), new ArrayList<>()));
	}

	void add(Entry entry, Measurement measurement) {
		roundsOf(entry.name()).add(measurement);
	}

	List<String> names() {
		return List.copyOf(this.rounds.keySet());
	}

	double median(String name, ToDoubleFunction<Measurement> column) {
		return middleOf(sorted(name, column));
	}

	/**
	 * Compares within each round first, which keeps a slow minute of the machine out.
	 */
	double medianRatio(String name, String baseline, ToDoubleFunction<Measurement> column) {
		List<Measurement> own = roundsOf(name);
		List<Measurement> base = roundsOf(baseline);
		return middleOf(IntStream.range(0, own.size())
			.mapToDouble((round) -> column.applyAsDouble(own.get(round)) / column.applyAsDouble(base.get(round)))
			.sorted()
			.toArray());
	}

	double lowest(String name, ToDoubleFunction<Measurement> column) {
		return sorted(name, column)[0];
	}

	double highest(String name, ToDoubleFunction<Measurement> column) {
		double[] sorted = sorted(name, column);
		return sorted[sorted.length - 1];
	}

	private double[] sorted(String name, ToDoubleFunction<Measurement> column) {
		return roundsOf(name).stream().mapToDouble(column).sorted().toArray();
	}

	private static double middleOf(double[] sorted) {
		int middle = sorted.length / 2;
		return (sorted.length % 2 != 0) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

	private List<Measurement> roundsOf(String name) {
		return this.rounds.getOrDefault(name, List.of());
	}

}
