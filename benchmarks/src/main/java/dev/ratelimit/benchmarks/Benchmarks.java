package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.report.BarChart;
import dev.ratelimit.benchmarks.report.MarkdownTable;
import dev.ratelimit.benchmarks.report.MarkedPage;
import dev.ratelimit.benchmarks.report.Ratios;
import dev.ratelimit.benchmarks.report.Recording;
import dev.ratelimit.benchmarks.report.Results;

/**
 * Measures all tables of the documentation, with the library and its peers, and prints
 * them as Markdown. See {@link Settings} for the settings.
 */
public final class Benchmarks {

	private final Settings settings;

	private final List<Table> tables = new ArrayList<>();

	private Benchmarks(Settings settings) {
		this.settings = settings;
		this.tables.addAll(new DecisionTables(settings).all());
		this.tables.addAll(HttpTables.all(settings));
		this.tables.addAll(GrpcTable.all());
		this.tables.addAll(FootprintTables.all(settings));
		this.tables.add(LiveTable.create());
		requireTables();
		this.tables.removeIf((table) -> !settings.wantsTable(table.layout().id()));
	}

	public static void main(String[] args) throws Exception {
		Settings settings = Settings.of(System.getProperties());
		if (settings.from().isEmpty()) {
			Benchmarks benchmarks = new Benchmarks(settings);
			benchmarks.write(benchmarks.measure());
			return;
		}
		Recording recording = Recording.parse(Files.readAllLines(settings.from().orElseThrow()));
		new Benchmarks(settings.withQuick(Environment.isQuick(recording.environment()))).write(recording);
	}

	private void requireTables() {
		List<String> ids = this.tables.stream().map((table) -> table.layout().id()).toList();
		for (String wanted : this.settings.tables()) {
			if (!ids.contains(wanted)) {
				throw new IllegalArgumentException("There is no table '" + wanted + "', only " + ids);
			}
		}
	}

	private Recording measure() throws Exception {
		Map<String, Results> results = new LinkedHashMap<>();
		try (RedisServer server = RedisServer.obtain(); RedisStats redis = new RedisStats(server.address())) {
			Session session = new Session(this.settings, server.address(), redis);
			List<String> environment = Environment.describe(this.settings, redis.version());
			for (Table table : this.tables) {
				long startedAt = System.nanoTime();
				results.put(table.layout().id(), table.measure(session));
				System.err.printf("%s took %.1f s%n", table.layout().id(), (System.nanoTime() - startedAt) / 1e9);
				// Keep the results if a later table fails.
				save(new Recording(environment, results));
			}
			return new Recording(environment, results);
		}
	}

	private void save(Recording recording) throws IOException {
		Files.createDirectories(this.settings.out());
		Files.write(this.settings.out().resolve("figures.csv"), recording.toCsv());
	}

	private void write(Recording recording) throws IOException {
		System.out.println(list(recording.environment()));
		for (Table table : this.tables) {
			Results results = recording.tables().get(table.layout().id());
			if (results != null) {
				System.out.println("### " + table.layout().title() + "\n");
				System.out.println(new MarkdownTable(table.layout(), results).text());
				writeChart(table, results, this.settings.out());
			}
		}
		if (this.settings.docs().isPresent()) {
			Path docs = this.settings.docs().orElseThrow();
			writeTables(recording, docs.resolve("benchmarks/README.md"), docs.resolve("pictures"));
			writeRatios(recording, docs.resolve("performance.md"));
		}
	}

	private static String list(List<String> lines) {
		return "- " + String.join(".\n- ", lines) + ".\n";
	}

	private static void writeChart(Table table, Results results, Path directory) throws IOException {
		Files.createDirectories(directory);
		Files.writeString(directory.resolve("performance-" + table.layout().id() + ".svg"),
				new BarChart(table.layout(), results).svg());
	}

	private void writeTables(Recording recording, Path file, Path pictures) throws IOException {
		MarkedPage page = new MarkedPage(Files.readString(file));
		// A run that measures only some tables has its own environment, which does not
		// apply to the other tables.
		if (this.settings.tables().isEmpty() && recording.tables().size() == this.tables.size()) {
			page = page.with("environment", list(recording.environment()));
		}
		for (Table table : this.tables) {
			Results results = recording.tables().get(table.layout().id());
			if (results != null) {
				page = page.with(table.layout().id(), block(table, results));
				if (isShown(page, table)) {
					writeChart(table, results, pictures);
				}
			}
		}
		Files.writeString(file, page.text());
	}

	private static void writeRatios(Recording recording, Path file) throws IOException {
		MarkedPage page = new MarkedPage(Files.readString(file));
		for (Ratios block : RatioBlocks.all()) {
			if (block.isMeasured(recording.tables())) {
				page = page.with(block.id(), block.text(recording.tables(), recording.environment()));
			}
		}
		Files.writeString(file, page.text());
	}

	private static String block(Table table, Results results) {
		return "**" + table.layout().title() + "**\n\n" + new MarkdownTable(table.layout(), results).text();
	}

	// Return whether the page shows the chart of a table.
	private static boolean isShown(MarkedPage page, Table table) {
		return page.text().contains("pictures/performance-" + table.layout().id() + ".svg");
	}

}
