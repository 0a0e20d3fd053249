package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.algorithm.Algorithms;

final class Contestants {

	static final String FLOOR = "floor script";

	private Contestants() {
	}

	static List<Entry> peers() {
		return List.of(
				// What the connection itself costs
				new Entry("bare PING", PingContestant::new), new Entry("no-op script", ScriptContestant::noop),
				new Entry(FLOOR, ScriptContestant::floor),
				// Ours
				new Entry("store", StoreContestant::tokenBucket),
				new Entry("RateLimiter.acquire", LimiterContestant::new),
				// The peers
				new Entry("bucket4j 8.19.0", Bucket4jContestant::new),
				new Entry("spring-cloud-gateway 5.0.3", GatewayContestant::new));
	}

	static List<Entry> algorithms() {
		List<Entry> entries = new ArrayList<>();
		entries.add(new Entry(FLOOR, ScriptContestant::floor));
		for (String algorithm : Algorithms.ids()) {
			entries.add(new Entry(algorithm,
					(redis, limit) -> new StoreContestant(redis, List.of(OurRedis.plenty(algorithm, 60)))));
		}
		entries.add(new Entry("three limits", (redis, limit) -> new StoreContestant(redis,
				Stream.of(60, 120, 180).map((seconds) -> OurRedis.plenty(Algorithms.DEFAULT, seconds)).toList())));
		return List.copyOf(entries);
	}

}
