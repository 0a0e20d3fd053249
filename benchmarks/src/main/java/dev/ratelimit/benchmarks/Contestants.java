package dev.ratelimit.benchmarks;

import java.util.List;

final class Contestants {

	static final String FLOOR = "floor script";

	private Contestants() {
	}

	static List<Entry> all() {
		return List.of(
				// What the connection itself costs
				new Entry("bare PING", PingContestant::new), new Entry("no-op script", ScriptContestant::noop),
				new Entry(FLOOR, ScriptContestant::floor),
				// Ours
				new Entry("store", StoreContestant::new), new Entry("RateLimiter.acquire", LimiterContestant::new),
				// The peers
				new Entry("bucket4j 8.19.0", Bucket4jContestant::new),
				new Entry("spring-cloud-gateway 5.0.3", GatewayContestant::new));
	}

}
