package dev.ratelimit.telemetry;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.engine.DecisionObserver;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;

/**
 * Creates engines whose decisions are observed.
 */
final class Telemetry {

	private Telemetry() {
	}

	static RateLimitEngine engine(DecisionObserver follower, Rule... rules) {
		Editions editions = new Editions();
		editions.adopt(List.of(rules));
		return engine(editions, follower);
	}

	static RateLimitEngine engine(Editions editions, DecisionObserver follower) {
		return engine(editions, follower, Time.SYSTEM);
	}

	static RateLimitEngine engine(Editions editions, DecisionObserver follower, Time time) {
		return new RateLimitEngine(editions, new MemoryLimitStore(10_000, () -> 60_000_000_000L),
				StoreDeadlines.of(Duration.ofSeconds(1)), "secret", IdempotencySettings.DEFAULT,
				new DecisionObservers(List.of(), List.of(follower)), time, WaitQueues.Factory.NONE);
	}

}
