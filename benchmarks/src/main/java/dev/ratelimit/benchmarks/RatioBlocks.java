package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.benchmarks.report.Metric;
import dev.ratelimit.benchmarks.report.Ratios;
import dev.ratelimit.benchmarks.report.Ratios.Line;

/**
 * The comparisons in docs/performance.md, in blocks that can be measured separately.
 */
final class RatioBlocks {

	private static final String STRICT = "RateLimiter, strict";

	private static final String FLOOR = "floor script";

	private static final String BUCKET4J = "bucket4j in Caffeine";

	private RatioBlocks() {
	}

	static List<Ratios> all() {
		return List.of(redis(), growth(), leased(), memory(), rejected(), http(), rejectedRequests());
	}

	private static Ratios redis() {
		List<String> peers = List.of("bucket4j on Lettuce", "Spring Cloud Gateway", "Redisson");
		List<Line> lines = new ArrayList<>();
		for (int callers : new int[] { 1, 8, 16 }) {
			lines.add(strict("strict-" + callers, "%d client%s".formatted(callers, (callers != 1) ? "s" : ""),
					List.of()));
		}
		lines.add(strict("strict", "64 clients", peers));
		lines.add(strict("strict-512", "512 clients", List.of()));
		lines.add(strict("hot", "128 clients, one key", peers));
		lines.add(new Line("a rule with three limits, 64 clients", "limits", Metric.DECISIONS,
				"RateLimiter, three limits", "RateLimiter, one limit", List.of()));
		for (String algorithm : List.of("concurrency", "fixed-window", "gcra", "leaky-bucket", "sliding-log",
				"sliding-window")) {
			lines.add(new Line("`" + algorithm + "`, 64 clients", "algorithms", Metric.DECISIONS,
					"RateLimiter, " + algorithm, FLOOR, List.of()));
		}
		return new Ratios("ratios-redis", lines);
	}

	private static Line strict(String table, String callers, List<String> peers) {
		return new Line("token bucket, " + callers, table, Metric.DECISIONS, STRICT, FLOOR, peers);
	}

	private static Ratios growth() {
		return new Ratios("ratios-growth",
				Stream.of(STRICT, FLOOR)
					.flatMap((row) -> Stream.of("1,000,000 keys", "10,000,000 keys")
						.map((keys) -> new Line(row + ": " + keys, "growth-keys", Metric.DECISIONS, row + ": " + keys,
								row + ": 1 key", List.of())))
					.toList());
	}

	private static Ratios leased() {
		return new Ratios("ratios-leased", List.of(new Line("leased, one key, 128 threads", "leased", Metric.DECISIONS,
				"RateLimiter, leased", STRICT, List.of())));
	}

	private static Ratios memory() {
		return new Ratios("ratios-memory",
				Stream.of("1 key", "1,000 keys", "100,000 keys")
					.flatMap((keys) -> Stream.of("RateLimiter", "RateLimiter, verdict read", "RateLimiter, Mono")
						.map((row) -> inMemory("memory", row + ": " + keys, keys, List.of("Resilience4j: " + keys))))
					.toList());
	}

	private static Ratios rejected() {
		return new Ratios("ratios-rejected",
				Stream.of("1 key", "1,000 keys")
					.flatMap((keys) -> Stream.of("RateLimiter", "RateLimiter, Mono")
						.map((row) -> inMemory("rejected", row + ": " + keys, keys, List.of())))
					.toList());
	}

	private static Line inMemory(String table, String row, String keys, List<String> peers) {
		return new Line(row, table, Metric.DECISIONS, row, BUCKET4J + ": " + keys, peers);
	}

	private static Ratios http() {
		return new Ratios("ratios-http",
				Stream.of("servlet", "webflux")
					.flatMap((stack) -> Stream.of("memory", "leased", "strict")
						.map((kind) -> new Line("%s, %s".formatted(stack, kind), "http-" + stack, Metric.REQUESTS,
								"this library, " + kind, "hand-written, " + kind, List.of())))
					.toList());
	}

	private static Ratios rejectedRequests() {
		return new Ratios("ratios-http-rejected",
				Stream.of("memory", "strict")
					.map((kind) -> new Line("servlet, " + kind + ", rejected", "http-rejected", Metric.REQUESTS,
							"this library, " + kind, "hand-written, memory", List.of()))
					.toList());
	}

}
