package dev.ratelimit.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.benchmarks.report.Comparison;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;

/**
 * The tables of memory.
 */
final class FootprintTables {

	private static final String OURS = "RateLimiter";

	private FootprintTables() {
	}

	static List<Table> all(Settings settings) {
		return List.of(inRedis(settings), inHeap(settings));
	}

	private static Table inRedis(Settings settings) {
		String one = OURS + ", one limit";
		Map<String, Assignment> rows = new LinkedHashMap<>();
		rows.put("floor script", Assignment.lasting("floor"));
		rows.put(one, Assignment.lasting("ours"));
		rows.put(OURS + ", three limits", Assignment.lasting("ours").with("limits", "3"));
		for (String algorithm : Algorithms.ids()) {
			if (!algorithm.equals(Algorithms.DEFAULT)) {
				rows.put(OURS + ", " + algorithm, Assignment.lasting("ours").with("algorithm", algorithm));
			}
		}
		rows.put("bucket4j on Lettuce", Assignment.lasting("bucket4j"));
		rows.put("Spring Cloud Gateway", Assignment.lasting("gateway"));
		int subjects = settings.many(1_000_000);
		Layout layout = new Layout("redis-memory", "Memory of Redis, %,d subjects charged once".formatted(subjects),
				List.of(Metric.REDIS_BYTES, Metric.REDIS_KEYS, Metric.KEY_BYTES),
				List.of(Comparison.of(one, Metric.REDIS_BYTES)), OURS);
		return new FootprintTable(layout, "redis-memory " + subjects, rows);
	}

	private static Table inHeap(Settings settings) {
		Map<String, Assignment> rows = new LinkedHashMap<>();
		rows.put(OURS + ", in memory", Assignment.lasting("ours").with("store", "memory"));
		rows.put("bucket4j in Caffeine", Assignment.lasting("bucket4j-memory"));
		rows.put("Resilience4j", Assignment.lasting("resilience4j"));
		rows.put("hand-written in Caffeine", Assignment.lasting("floor-memory"));
		// Fewer would be lost in what the heap holds besides.
		int buckets = Math.max(200_000, settings.many(1_000_000));
		Layout layout = new Layout("heap", "Heap of the JVM, %,d buckets charged once".formatted(buckets),
				List.of(Metric.HEAP_BYTES), List.of(Comparison.of("bucket4j in Caffeine", Metric.HEAP_BYTES)), OURS);
		return new FootprintTable(layout, "heap " + buckets, rows);
	}

}
