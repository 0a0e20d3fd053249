package dev.ratelimit.client;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Retry behavior of HTTP clients whose requests a server limits: {@code Retry-After} is
 * honored, waits are bounded, and requests that the server would reject are delayed. Pass
 * it to a {@link RateLimitRetryInterceptor} or a {@link RateLimitRetryFilter}. Clients
 * that share an instance share the delays, per origin, but not the budget of retries.
 * Immutable, except for the state of origins, and thread-safe.
 *
 * @since 0.1.0
 */
public final class RateLimitRetry {

	private final RetrySettings settings;

	private final RetryTime time;

	private final OutboundListener listener;

	private final DoubleSupplier random;

	private final Throttle throttle;

	/**
	 * Create a retry behavior that uses the system clock.
	 * @param settings the settings
	 */
	public RateLimitRetry(RetrySettings settings) {
		this(settings, RetryTime.system(), OutboundListener.NONE);
	}

	/**
	 * Create a retry behavior.
	 * @param settings the settings
	 * @param time the clock to use
	 * @param listener the listener to notify
	 */
	public RateLimitRetry(RetrySettings settings, RetryTime time, OutboundListener listener) {
		this(settings, time, listener, () -> ThreadLocalRandom.current().nextDouble());
	}

	RateLimitRetry(RetrySettings settings, RetryTime time, OutboundListener listener, DoubleSupplier random) {
		this.settings = settings;
		this.time = time;
		this.listener = listener;
		this.random = random;
		this.throttle = new Throttle(time);
	}

	RetryTime time() {
		return this.time;
	}

	RetryBudget budget() {
		return new RetryBudget(this.settings.budgetRatio(), this.settings.budgetReserve());
	}

	RetrySettings settings() {
		return this.settings;
	}

	OutboundListener listener() {
		return this.listener;
	}

	Throttle throttle() {
		return this.throttle;
	}

	double random() {
		return this.random.getAsDouble();
	}

}
