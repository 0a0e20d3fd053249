package dev.ratelimit.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All figures of a run, with the environment of the run, as lines of CSV. Tables and
 * charts can be created from them again.
 *
 * @param environment the machine, the versions, and the settings, one line for each
 * @param tables the results by the id of their table
 */
public record Recording(List<String> environment, Map<String, Results> tables) {

	private static final String COMMENT = "# ";

	private static final String HEADER = "table,row,round,metric,value";

	private static final Pattern LINE = Pattern.compile("([^,]+),\"([^\"]*)\",(\\d+),(\\w+),(\\S+)");

	public Recording {
		environment = List.copyOf(environment);
	}

	public List<String> toCsv() {
		List<String> lines = new ArrayList<>();
		this.environment.forEach((line) -> lines.add(COMMENT + line));
		lines.add(HEADER);
		this.tables.forEach((table, results) -> results.rows().forEach((row) -> addRow(table, row, results, lines)));
		return lines;
	}

	private static void addRow(String table, String row, Results results, List<String> lines) {
		List<Figures> rounds = results.of(row);
		for (int round = 0; round < rounds.size(); round++) {
			String start = table + ",\"" + row + "\"," + (round + 1) + ",";
			rounds.get(round).values().forEach((metric, value) -> lines.add(start + metric.name() + "," + value));
		}
	}

	public static Recording parse(List<String> lines) {
		List<String> environment = lines.stream()
			.filter((line) -> line.startsWith(COMMENT))
			.map((line) -> line.substring(COMMENT.length()))
			.toList();
		Map<List<String>, StringBuilder> rounds = new LinkedHashMap<>();
		lines.stream()
			.filter((line) -> !line.startsWith(COMMENT) && !line.equals(HEADER) && !line.isBlank())
			.map(Recording::match)
			.forEach((cells) -> rounds
				.computeIfAbsent(List.of(cells.group(1), cells.group(2), cells.group(3)), (key) -> new StringBuilder())
				.append(cells.group(4))
				.append('=')
				.append(cells.group(5))
				.append(' '));
		Map<String, Results> tables = new LinkedHashMap<>();
		rounds
			.forEach((key, figures) -> Objects.requireNonNull(tables.computeIfAbsent(key.get(0), (id) -> new Results()))
				.add(key.get(1), Figures.parse(figures.toString())));
		return new Recording(environment, tables);
	}

	private static Matcher match(String line) {
		Matcher cells = LINE.matcher(line);
		if (!cells.matches()) {
			throw new IllegalArgumentException("Not a line of a recording: " + line);
		}
		return cells;
	}

}
