package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.benchmarks.WorkerTable.Row;
import dev.ratelimit.benchmarks.report.Comparison;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;

/**
 * The tables of decisions in one process.
 */
final class DecisionTables {

	private static final String OURS = "RateLimiter";

	private static final String STRICT = OURS + ", strict";

	private static final String FLOOR = "floor script";

	private static final String BUCKET4J_IN_MEMORY = "bucket4j in Caffeine";

	private static final List<Metric> OVER_REDIS = List.of(Metric.DECISIONS, Metric.P50, Metric.P99, Metric.CALLS,
			Metric.COMMANDS, Metric.CLIENT_MICROS, Metric.REDIS_MICROS, Metric.CLIENT_BYTES);

	private static final List<Metric> IN_MEMORY = List.of(Metric.DECISIONS, Metric.CLIENT_MICROS, Metric.CLIENT_BYTES);

	private static final Comparison OF_BUCKET4J = Comparison.within("of bucket4j", Metric.DECISIONS,
			(row) -> BUCKET4J_IN_MEMORY + row.substring(row.indexOf(": ")));

	private final int manyKeys;

	private final int mostKeys;

	DecisionTables(Settings settings) {
		this.manyKeys = settings.many(100_000);
		this.mostKeys = settings.many(10_000_000);
	}

	List<Table> all() {
		return List.of(strict(), callers(1), callers(8), callers(16), callers(512), hot(), limits(), cold(), leased(),
				algorithms(), memory(), rejected(), growthOfKeys(), growthOfRules(), stores(), local(), regions(),
				samples(), level());
	}

	private Table strict() {
		return peers("strict", "Strict decisions, 64 clients, %,d keys".formatted(this.manyKeys),
				Load.loops(64, this.manyKeys), Assignment::many);
	}

	private Table callers(int count) {
		Layout layout = new Layout("strict-" + count,
				"Strict decisions, %d clients, %,d keys".formatted(count, this.manyKeys), OVER_REDIS,
				List.of(Comparison.of(FLOOR, Metric.DECISIONS)), OURS);
		Load load = Load.loops(count, this.manyKeys);
		return new WorkerTable(layout, List.of(new Row(FLOOR, Assignment.many("floor"), load),
				new Row(STRICT, Assignment.many("ours"), load)));
	}

	private Table hot() {
		return peers("hot", "Strict decisions, 128 clients, 1 key", Load.loops(128, 1), Assignment::hot);
	}

	private static Table peers(String id, String title, Load load,
			java.util.function.Function<String, Assignment> limited) {
		Layout layout = new Layout(id, title, OVER_REDIS, List.of(Comparison.of(FLOOR, Metric.DECISIONS)), OURS);
		return new WorkerTable(layout,
				List.of(new Row("bare PING", limited.apply("ping"), load),
						new Row("no-op script", limited.apply("noop"), load),
						new Row(FLOOR, limited.apply("floor"), load), new Row(STRICT, limited.apply("ours"), load),
						new Row("bucket4j on Lettuce", limited.apply("bucket4j"), load),
						new Row("Spring Cloud Gateway", limited.apply("gateway"), load),
						new Row("Redisson", limited.apply("redisson"), load)));
	}

	private Table limits() {
		String one = OURS + ", one limit";
		return onRedis("limits", "One rule with several limits, 64 clients, %,d keys".formatted(this.manyKeys), one,
				List.of(new Row(one, Assignment.many("ours"), Load.loops(64, this.manyKeys)),
						new Row(OURS + ", three limits", Assignment.many("ours").with("limits", "3"),
								Load.loops(64, this.manyKeys))));
	}

	private Table cold() {
		return onRedis("cold", "Consistency on buckets that are not hot, 64 clients, %,d keys".formatted(this.manyKeys),
				STRICT,
				Stream.of("strict", "auto", "leased")
					.map((consistency) -> new Row(OURS + ", " + consistency,
							Assignment.many("ours").with("consistency", consistency), Load.loops(64, this.manyKeys)))
					.toList());
	}

	private Table leased() {
		Load load = Load.threads(128, 1);
		return onRedis("leased", "One hot bucket, 128 threads that wait", STRICT,
				List.of(new Row(STRICT, Assignment.hot("ours"), load),
						new Row(OURS + ", leased", Assignment.hot("ours").with("consistency", "leased"), load),
						new Row(OURS + ", in memory", Assignment.hot("ours").with("store", "memory"), load),
						new Row(BUCKET4J_IN_MEMORY, Assignment.hot("bucket4j-memory"), load)));
	}

	private Table algorithms() {
		List<Row> rows = new ArrayList<>();
		rows.add(new Row(FLOOR, Assignment.many("floor"), Load.loops(64, this.manyKeys)));
		for (String algorithm : Algorithms.ids()) {
			Assignment ours = Assignment.many("ours").with("algorithm", algorithm);
			rows.add(new Row(OURS + ", " + algorithm,
					(algorithm.equals("concurrency")) ? ours.with(LimiterContestant.RELEASES, "true") : ours,
					Load.loops(64, this.manyKeys)));
		}
		return onRedis("algorithms", "Algorithms, 64 clients, %,d keys".formatted(this.manyKeys), FLOOR, rows);
	}

	private static Table onRedis(String id, String title, String baseline, List<Row> rows) {
		return new WorkerTable(
				new Layout(id, title, OVER_REDIS, List.of(Comparison.of(baseline, Metric.DECISIONS)), OURS), rows);
	}

	private Table memory() {
		List<Row> rows = new ArrayList<>();
		for (int keys : new int[] { 1, 1_000, this.manyKeys }) {
			Load load = Load.threads(2, keys);
			UnaryOperator<String> name = (contestant) -> inMemory(contestant, keys);
			rows.add(new Row(name.apply(BUCKET4J_IN_MEMORY), Assignment.hot("bucket4j-memory"), load));
			rows.add(new Row(name.apply("Resilience4j"), Assignment.hot("resilience4j"), load));
			rows.add(new Row(name.apply("hand-written in Caffeine"), Assignment.hot("floor-memory"), load));
			rows.add(new Row(name.apply(OURS), ours(), load));
			rows.add(new Row(name.apply(OURS + ", verdict read"), ours("ours-looking"), load));
			rows.add(new Row(name.apply(OURS + ", Mono"), ours("ours-reactive"), load));
		}
		return new WorkerTable(
				new Layout("memory", "Decisions in memory, 2 threads", IN_MEMORY, List.of(OF_BUCKET4J), OURS), rows);
	}

	private Table stores() {
		Load load = Load.loops(64, this.manyKeys);
		Assignment two = Assignment.many("ours").with("stores", "1");
		return onRedis("stores", "Several stores, 64 clients, %,d keys".formatted(this.manyKeys), "one store",
				List.of(new Row("one store", Assignment.many("ours"), load),
						new Row("a second store, not used", two, load),
						new Row("two rules in one store",
								Assignment.many("ours").with("rules", "2").with("both", "true"), load),
						new Row("two rules in two stores", two.with("rules", "2").with("both", "true"), load)));
	}

	private Table regions() {
		Load many = Load.loops(64, this.manyKeys);
		Load hot = Load.threads(128, 1);
		Assignment leased = Assignment.hot("ours").with("consistency", "leased");
		return new WorkerTable(
				new Layout("regions",
						"Limits that two regions share, 64 clients, %,d keys; leased: 128 threads that wait, 1 key"
							.formatted(this.manyKeys),
						OVER_REDIS,
						List.of(Comparison.within("of each", Metric.DECISIONS, (row) -> row.replace("shared", "each"))),
						OURS),
				List.of(new Row("each, strict", Assignment.many("ours"), many),
						new Row("shared, strict", shared(Assignment.many("ours")), many),
						new Row("each, leased", leased, hot), new Row("shared, leased", shared(leased), hot)));
	}

	private static Assignment shared(Assignment assignment) {
		return assignment.with("stores", "1").with("regions", "shared");
	}

	private static Table samples() {
		Load load = Load.threads(2, 1_000);
		String none = OURS + ", no samples";
		return inMemory("samples", "Samples of decisions in memory, 2 threads, 1,000 keys",
				List.of(new Row(none, ours(), load), new Row(OURS + ", 1 %", ours().with("sampled", "0.01"), load)));
	}

	private static Table local() {
		Load load = Load.threads(2, 1_000);
		String memory = OURS + ", all limits in memory";
		return inMemory("local", "Limits of one instance, 2 threads, 1,000 keys",
				List.of(new Row(memory, ours(), load), new Row(OURS + ", the store local beside Redis",
						Assignment.hot("ours").with("counted", "local"), load)));
	}

	private static Table inMemory(String id, String title, List<Row> rows) {
		return new WorkerTable(
				new Layout(id, title, IN_MEMORY, List.of(Comparison.of(rows.get(0).name(), Metric.DECISIONS)), OURS),
				rows);
	}

	private Table level() {
		Assignment strict = Assignment.many("ours");
		Assignment spent = Assignment.spent("ours").with(RejectingContestant.OPTION, "true");
		Load load = Load.loops(64, this.manyKeys);
		Load few = Load.loops(64, 1_000);
		return new WorkerTable(
				new Layout("level", "Requests that arrive at random times, %,d keys".formatted(this.manyKeys),
						OVER_REDIS, List.of(Comparison.of(STRICT + ", 64 clients", Metric.DECISIONS)), OURS),
				List.of(new Row(STRICT + ", 64 clients", strict, load),
						new Row(STRICT + ", 60 % of it", strict, load, 60),
						new Row(OURS + ", remembered rejections, as many", spent, few, 60)));
	}

	private Table rejected() {
		List<Row> rows = new ArrayList<>();
		for (int keys : new int[] { 1, 1_000 }) {
			Load load = Load.threads(2, keys);
			rows.add(new Row(inMemory(BUCKET4J_IN_MEMORY, keys), spent("bucket4j-memory"), load));
			rows.add(new Row(inMemory("hand-written in Caffeine", keys), spent("floor-memory"), load));
			for (String contestant : List.of("ours", "ours-reactive")) {
				rows.add(new Row(inMemory((contestant.equals("ours")) ? OURS : OURS + ", Mono", keys),
						spent(contestant).with("store", "memory"), load));
			}
		}
		return new WorkerTable(
				new Layout("rejected", "Rejections in memory, 2 threads", IN_MEMORY, List.of(OF_BUCKET4J), OURS), rows);
	}

	private static Assignment spent(String contestant) {
		return Assignment.spent(contestant).with(RejectingContestant.OPTION, "true");
	}

	private static Assignment ours() {
		return Assignment.hot("ours").with("store", "memory");
	}

	private static Assignment ours(String contestant) {
		return new Assignment(contestant, ours().limit(), ours().options());
	}

	private static String inMemory(String contestant, int keys) {
		return "%s: %,d key%s".formatted(contestant, keys, (keys != 1) ? "s" : "");
	}

	// With many keys, the data structures of Redis are also slower for the floor script.
	private Table growthOfKeys() {
		List<Row> rows = new ArrayList<>();
		for (int keys : IntStream.of(1, 10_000, 1_000_000, 10_000_000)
			.map((keys) -> Math.min(keys, this.mostKeys))
			.distinct()
			.toArray()) {
			Load load = Load.loops(64, keys).filledFirst();
			rows.add(new Row(inMemory(FLOOR, keys), (keys > 1) ? Assignment.lasting("floor") : Assignment.hot("floor"),
					load));
			rows.add(new Row(inMemory(STRICT, keys), (keys > 1) ? Assignment.lasting("ours") : Assignment.hot("ours"),
					load));
		}
		Comparison growth = Comparison.within("of the same: 1 key", Metric.DECISIONS,
				(row) -> row.substring(0, row.indexOf(": ")) + ": 1 key");
		return new WorkerTable(
				new Layout("growth-keys", "Buckets in Redis, 64 clients", OVER_REDIS, List.of(growth), OURS), rows);
	}

	private Table growthOfRules() {
		List<Row> rows = IntStream.of(1, 100, 1_000)
			.mapToObj((rules) -> new Row("%s: %,d rule%s".formatted(OURS, rules, (rules != 1) ? "s" : ""),
					ours().with("rules", String.valueOf(rules)), Load.threads(2, 1_000)))
			.toList();
		return inMemory("growth-rules", "Rules in the set, in memory, 2 threads, 1,000 keys", rows);
	}

}
