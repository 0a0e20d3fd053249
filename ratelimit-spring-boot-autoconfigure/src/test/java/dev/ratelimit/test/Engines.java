package dev.ratelimit.test;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.DecisionListener;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;

/**
 * Factory of engines for tests, in which no request waits.
 */
public final class Engines {

	private Engines() {
	}

	/**
	 * Create an engine with a deadline of one second.
	 */
	public static RateLimitEngine of(LimitStore store) {
		return of(store, Duration.ofSeconds(1), List.of());
	}

	/**
	 * Create an engine.
	 */
	public static RateLimitEngine of(LimitStore store, Duration deadline, List<DecisionListener> listeners) {
		return new RateLimitEngine(new Editions(), store, StoreDeadlines.of(deadline), "secret",
				IdempotencySettings.DEFAULT, new DecisionObservers(listeners, List.of()), Time.SYSTEM,
				WaitQueues.Factory.NONE);
	}

}
