package dev.ratelimit.store.guard;

import java.time.Duration;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;

/**
 * The breaker before a node: opens when half of the last calls failed, and closes only
 * when a probe has found the node working.
 */
final class BreakerSettings {

	static final int WINDOW = 20;

	static final int LEAST_CALLS = 10;

	private static final int FAILURE_PERCENT = 50;

	/** The breaker never tries real requests on its own: the probe does. */
	private static final Duration UNTIL_PROBED = Duration.ofDays(3650);

	private static final CircuitBreakerConfig CONFIG = CircuitBreakerConfig.custom()
		.slidingWindow(WINDOW, LEAST_CALLS, SlidingWindowType.COUNT_BASED,
				SlidingWindowSynchronizationStrategy.LOCK_FREE)
		.failureRateThreshold(FAILURE_PERCENT)
		.waitDurationInOpenState(UNTIL_PROBED)
		.writableStackTraceEnabled(false)
		.build();

	private BreakerSettings() {
	}

	static CircuitBreaker breaker(String name) {
		return CircuitBreaker.of(name, CONFIG);
	}

}
