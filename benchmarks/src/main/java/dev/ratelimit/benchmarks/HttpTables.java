package dev.ratelimit.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.benchmarks.report.Comparison;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;

/**
 * The tables of requests over HTTP.
 */
final class HttpTables {

	private static final String OURS = "this library";

	private static final List<Metric> COLUMNS = List.of(Metric.REQUESTS, Metric.P50, Metric.P99, Metric.CLIENT_MICROS,
			Metric.REDIS_MICROS, Metric.COMMANDS);

	private static final String BEFORE = "before";

	private static final int FEW = 10;

	private HttpTables() {
	}

	static List<Table> all(Settings settings) {
		List<Table> tables = new ArrayList<>(List.of(servlet(settings), webflux(settings), rejected(settings),
				rules(settings), matching(settings), StartupTable.create()));
		settings.before().ifPresent((checkout) -> {
			tables.add(beside(checkout, "http-before-servlet", "HTTP, servlet", settings, HttpStack.SERVLET));
			tables.add(beside(checkout, "http-before-webflux", "HTTP, WebFlux", settings, HttpStack.WEBFLUX));
		});
		return List.copyOf(tables);
	}

	private static Table beside(Path checkout, String id, String title, Settings settings, HttpStack stack) {
		List<HttpRow> rows = Stream.of(HttpRow.memory(), HttpRow.redis("leased"), HttpRow.redis("strict"))
			.flatMap((row) -> Stream.of(row.named(row.name().replace(OURS, BEFORE)).builtIn(checkout), row))
			.toList();
		return new HttpTable(new Layout(id, title(title + ", beside an earlier build", settings), COLUMNS,
				List.of(ofBefore("of before", Metric.REQUESTS), ofBefore("client CPU of before", Metric.CLIENT_MICROS)),
				OURS), stack, rows, 0);
	}

	private static Comparison ofBefore(String label, Metric metric) {
		return Comparison.within(label, metric, (row) -> (row.startsWith(OURS)) ? row.replace(OURS, BEFORE) : "");
	}

	private static Table servlet(Settings settings) {
		List<HttpRow> rows = new ArrayList<>(common());
		rows.add(HttpRow.bucket4j("memory (JCache)", "jcache", "servlet"));
		rows.add(HttpRow.bucket4j("Redis (Jedis)", "redis-jedis", "servlet"));
		return http("http-servlet", "HTTP, servlet", settings, HttpStack.SERVLET, rows);
	}

	// The filter of bucket4j's starter for WebFlux supports only asynchronous caches.
	private static Table webflux(Settings settings) {
		List<HttpRow> rows = new ArrayList<>(common());
		rows.add(HttpRow.bucket4j("Redis (Lettuce)", "redis-lettuce", "webflux"));
		return http("http-webflux", "HTTP, WebFlux", settings, HttpStack.WEBFLUX, rows);
	}

	private static List<HttpRow> common() {
		return List.of(HttpRow.none(), HttpRow.handWritten("fields"), HttpRow.handWritten("memory"),
				HttpRow.handWritten("leased"), HttpRow.handWritten("strict"), HttpRow.memory(), HttpRow.redis("leased"),
				HttpRow.redis("strict"));
	}

	private static Table http(String id, String title, Settings settings, HttpStack stack, List<HttpRow> rows) {
		Comparison handWritten = Comparison.within("of hand-written", Metric.REQUESTS,
				(row) -> (row.startsWith(OURS)) ? row.replace(OURS, "hand-written") : "");
		return new HttpTable(new Layout(id, title(title, settings), COLUMNS,
				List.of(Comparison.of(HttpRow.NONE, Metric.REQUESTS), handWritten), OURS), stack, rows, 0);
	}

	private static String title(String title, Settings settings) {
		return title + ", " + settings.connections() + " connections";
	}

	private static Table rejected(Settings settings) {
		List<String> few = List.of("ratelimit.rules.hello.limit=" + FEW + "/d", "benchmark.limit=" + FEW,
				"benchmark.period=1d");
		List<HttpRow> rows = Stream
			.of(HttpRow.handWritten("memory"), HttpRow.handWritten("strict"), HttpRow.memory(), HttpRow.redis("strict"))
			.map((row) -> row.with(few))
			.toList();
		return new HttpTable(
				new Layout("http-rejected", title("HTTP, servlet, nearly all requests rejected", settings), COLUMNS,
						List.of(Comparison.of("hand-written, memory", Metric.REQUESTS)), OURS),
				HttpStack.SERVLET, rows, FEW);
	}

	private static Table rules(Settings settings) {
		List<HttpRow> rows = IntStream.of(1, 100, 1_000).mapToObj((rules) -> withRules(rules, false)).toList();
		return new HttpTable(new Layout("http-rules", title("HTTP, servlet, in memory: path rules", settings), COLUMNS,
				List.of(Comparison.of(rows.get(0).name(), Metric.REQUESTS)), OURS), HttpStack.SERVLET, rows, 0);
	}

	private static Table matching(Settings settings) {
		List<HttpRow> rows = new ArrayList<>();
		rows.add(HttpRow.none());
		IntStream.of(1, 5, 20).forEach((rules) -> rows.add(withRules(rules, true)));
		Function<String, Integer> parts = (row) -> (row.equals(HttpRow.NONE)) ? 1
				: Integer.parseInt(row.replaceAll("\\D+", ""));
		return new HttpTable(
				new Layout("http-matching", title("HTTP, servlet, in memory: rules that match the request", settings),
						COLUMNS,
						List.of(Comparison.of(HttpRow.NONE, Metric.REQUESTS), Comparison
							.more("client CPU us more, per rule", Metric.CLIENT_MICROS, HttpRow.NONE, parts)),
						OURS),
				HttpStack.SERVLET, rows, 0);
	}

	/**
	 * Return a row with the library in memory and with several rules.
	 * @param rules the number of rules, including the application's own rule
	 * @param matching whether the other rules also match the request
	 */
	static HttpRow withRules(int rules, boolean matching) {
		String name = "%s, %,d %srule%s".formatted(OURS, rules, (matching) ? "matching " : "", (rules != 1) ? "s" : "");
		return HttpRow.memory()
			.named(name)
			.with(List.of("benchmark.rules=" + (rules - 1), "benchmark.rules-match=" + matching));
	}

}
