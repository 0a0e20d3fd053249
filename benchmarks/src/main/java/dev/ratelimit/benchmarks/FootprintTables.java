package dev.ratelimit.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.benchmarks.FootprintTable.Row;
import dev.ratelimit.benchmarks.report.Comparison;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;

/**
 * The tables of memory use.
 */
final class FootprintTables {

	private static final String OURS = "RateLimiter";

	/** An instance holds at most 200,000 slots, and these slots are not released. */
	private static final int MOST_SLOTS = 150_000;

	private FootprintTables() {
	}

	static List<Table> all(Settings settings) {
		return List.of(inRedis(settings), inHeap(settings));
	}

	private static Table inRedis(Settings settings) {
		int subjects = settings.many(1_000_000);
		String one = OURS + ", one limit";
		Map<String, Row> rows = new LinkedHashMap<>();
		rows.put("floor script", new Row(Assignment.lasting("floor"), subjects));
		rows.put(one, new Row(Assignment.lasting("ours"), subjects));
		rows.put(OURS + ", three limits", new Row(Assignment.lasting("ours").with("limits", "3"), subjects));
		for (String algorithm : Algorithms.ids()) {
			if (!algorithm.equals(Algorithms.DEFAULT)) {
				rows.put(OURS + ", " + algorithm, inRedis(algorithm, subjects));
			}
		}
		rows.put("bucket4j on Lettuce", new Row(Assignment.lasting("bucket4j"), subjects));
		rows.put("Spring Cloud Gateway", new Row(Assignment.lasting("gateway"), subjects));
		Layout layout = new Layout("redis-memory", "Memory of Redis, %,d subjects charged once".formatted(subjects),
				List.of(Metric.REDIS_BYTES, Metric.REDIS_KEYS, Metric.KEY_BYTES),
				List.of(Comparison.of(one, Metric.REDIS_BYTES)), OURS);
		return new FootprintTable(layout, "redis-memory", rows);
	}

	private static Row inRedis(String algorithm, int subjects) {
		return new Row(Assignment.lasting("ours").with("algorithm", algorithm),
				(algorithm.equals("concurrency")) ? Math.min(subjects, MOST_SLOTS) : subjects);
	}

	private static Table inHeap(Settings settings) {
		// The size of fewer buckets would be too small, compared with the rest of the
		// heap.
		int buckets = Math.max(200_000, settings.many(1_000_000));
		Map<String, Row> rows = new LinkedHashMap<>();
		rows.put(OURS + ", in memory", new Row(Assignment.lasting("ours").with("store", "memory"), buckets));
		rows.put("bucket4j in Caffeine", new Row(Assignment.lasting("bucket4j-memory"), buckets));
		rows.put("Resilience4j", new Row(Assignment.lasting("resilience4j"), buckets));
		rows.put("hand-written in Caffeine", new Row(Assignment.lasting("floor-memory"), buckets));
		Layout layout = new Layout("heap", "Heap of the JVM, %,d buckets charged once".formatted(buckets),
				List.of(Metric.HEAP_BYTES), List.of(Comparison.of("bucket4j in Caffeine", Metric.HEAP_BYTES)), OURS);
		return new FootprintTable(layout, "heap", rows);
	}

}
