package dev.ratelimit.benchmarks.openloop;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of a contestant. They can be written as lines, and read again.
 *
 * @param values the figures by measure
 * @param goodput the good responses over the run by level, in shares of the capacity
 */
record Figures(Map<Measure, Double> values, Map<Level, List<Double>> goodput) {

	/** The length of one part of the curves, in seconds. */
	static final double STEP = 0.5;

	private static final String CURVE = "goodput.";

	double of(Measure measure) {
		return this.values.getOrDefault(measure, Double.NaN);
	}

	List<String> toLines() {
		List<String> lines = new ArrayList<>();
		this.values.forEach((measure, value) -> lines.add(measure.name() + "=" + value));
		this.goodput.forEach((level, parts) -> lines
			.add(CURVE + level.name() + "=" + parts.stream().map(String::valueOf).collect(Collectors.joining(";"))));
		return lines;
	}

	static Figures parse(List<String> lines) {
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		Map<Level, List<Double>> goodput = new EnumMap<>(Level.class);
		for (String line : lines) {
			String[] sides = line.split("=", 2);
			if (sides[0].startsWith(CURVE)) {
				goodput.put(Level.valueOf(sides[0].substring(CURVE.length())),
						Stream.of(sides[1].split(";")).map(Double::valueOf).toList());
			}
			else {
				values.put(Measure.valueOf(sides[0]), Double.valueOf(sides[1]));
			}
		}
		return new Figures(values, goodput);
	}

}
