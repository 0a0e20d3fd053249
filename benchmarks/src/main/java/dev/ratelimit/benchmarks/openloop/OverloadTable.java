package dev.ratelimit.benchmarks.openloop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes figures as Markdown tables, with a line for the bars and a line for each
 * contestant. The best figure of a column is bold.
 */
final class OverloadTable {

	private static final List<List<Measure>> PARTS = List.of(
			List.of(Measure.CRITICAL, Measure.HIGH, Measure.NORMAL, Measure.LOW, Measure.GOODPUT, Measure.P99,
					Measure.P99_RATIO, Measure.SHED, Measure.SHED_EARLY, Measure.LATE),
			List.of(Measure.STEP_SECONDS, Measure.BACK_LOST, Measure.BELOW_LOST, Measure.SLOWER_SECONDS,
					Measure.CLOSED_GOODPUT, Measure.CLOSED_P99),
			List.of(Measure.FLOOD_NORMAL, Measure.FLOOD_LOW, Measure.NOISY_P99_RATIO, Measure.NOISY_LOST),
			List.of(Measure.UNLOADED_P99, Measure.UNLOADED_LAG, Measure.GENERATOR_LAG, Measure.GENERATOR_CORES,
					Measure.SERVER_CORES));

	private final Map<String, Figures> results;

	OverloadTable(Map<String, Figures> results) {
		this.results = results;
	}

	String text() {
		return PARTS.stream().map(this::table).collect(Collectors.joining("\n")) + remarks();
	}

	private String table(List<Measure> measures) {
		List<Measure> measured = measures.stream().filter(this::isMeasured).toList();
		List<String> lines = new ArrayList<>();
		lines.add(line("", measured.stream().map(Measure::label)));
		lines.add(line("---", measured.stream().map((measure) -> "---:")));
		if (measured.stream().anyMatch(Measure::hasBar)) {
			lines.add(line("*bar*", measured.stream().map(Measure::barText)));
		}
		this.results.forEach((name, figures) -> lines
			.add(line(name, measured.stream().map((measure) -> cell(measure, figures.of(measure))))));
		return String.join("\n", lines) + "\n";
	}

	private boolean isMeasured(Measure measure) {
		return this.results.values().stream().anyMatch((figures) -> !Double.isNaN(figures.of(measure)));
	}

	private String cell(Measure measure, double value) {
		boolean best = measure.isCompared() && !Double.isNaN(value)
				&& this.results.values().stream().noneMatch((other) -> measure.isBetter(other.of(measure), value));
		return (best) ? "**" + measure.format(value) + "**" : measure.format(value);
	}

	// The text also names the bars that the library misses, and the peers that are
	// better.
	private String remarks() {
		StringBuilder text = new StringBuilder();
		this.results.forEach((name, figures) -> {
			if (name.startsWith(OverloadContestant.OURS)) {
				text.append(remarks(name, figures));
			}
		});
		return text.toString();
	}

	private String remarks(String name, Figures figures) {
		String missed = Stream.of(Measure.values())
			.filter((measure) -> measure.hasBar() && figures.values().containsKey(measure)
					&& !measure.meetsBar(figures.of(measure)))
			.map(Measure::label)
			.collect(Collectors.joining("; "));
		String worse = Stream.of(Measure.values())
			.filter((measure) -> measure.isCompared() && figures.values().containsKey(measure))
			.map((measure) -> betterPeers(measure, figures.of(measure)))
			.filter((peers) -> !peers.isEmpty())
			.collect(Collectors.joining("; "));
		return "\n*%s.* Bars missed: %s. Peers that are better: %s.\n".formatted(name, orNone(missed), orNone(worse));
	}

	private String betterPeers(Measure measure, double value) {
		String peers = this.results.entrySet()
			.stream()
			.filter((peer) -> !peer.getKey().startsWith(OverloadContestant.OURS))
			.filter((peer) -> measure.isBetter(peer.getValue().of(measure), value))
			.map(Entry::getKey)
			.collect(Collectors.joining(" and "));
		return (peers.isEmpty()) ? "" : measure.label() + " (" + peers + ")";
	}

	private static String orNone(String text) {
		return (text.isEmpty()) ? "none" : text;
	}

	private static String line(String first, Stream<String> cells) {
		return "| " + first + " | " + cells.collect(Collectors.joining(" | ")) + " |";
	}

}
