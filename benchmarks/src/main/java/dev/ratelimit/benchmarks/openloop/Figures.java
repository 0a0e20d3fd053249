package dev.ratelimit.benchmarks.openloop;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was measured of a contestant, as lines that it can be read from again.
 *
 * @param values what was measured
 * @param goodput good responses of the capacity over the run, by level
 */
record Figures(Map<Measure, Double> values, Map<Level, List<Double>> goodput) {

	/** Length of one part of the curves, in seconds. */
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
