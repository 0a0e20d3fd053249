package dev.ratelimit.benchmarks.report;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The figures of one row in one round.
 *
 * @param values the values by metric
 */
public record Figures(Map<Metric, Double> values) {

	public Figures {
		values = Collections.unmodifiableMap(new EnumMap<>(values));
	}

	/**
	 * Return the value of a metric, or NaN if it was not measured.
	 */
	public double of(Metric metric) {
		return this.values.getOrDefault(metric, Double.NaN);
	}

	/**
	 * Return the figures as one line, which {@link #parse} reads.
	 */
	public String toLine() {
		StringBuilder line = new StringBuilder();
		this.values.forEach((metric, value) -> line.append(metric.name()).append('=').append(value).append(' '));
		return line.toString().trim();
	}

	/**
	 * Read figures such as {@code DECISIONS=1.0 P50=0.2}.
	 */
	public static Figures parse(String line) {
		Map<Metric, Double> values = new EnumMap<>(Metric.class);
		for (String pair : line.trim().split(" ")) {
			String[] sides = pair.split("=", 2);
			values.put(Metric.valueOf(sides[0]), Double.valueOf(sides[1]));
		}
		return new Figures(values);
	}

}
