package dev.ratelimit.client;

import java.net.URI;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * How clients behave towards servers that limit them: {@code Retry-After} is honoured,
 * waits are bounded, and what a server would refuse is held back. Give it to a
 * {@link RateLimitRetryInterceptor} or a {@link RateLimitRetryFilter}. All that share one
 * hold back together, per origin; the budget of retries is each one's own. Immutable but
 * for what it remembers of origins, and thread-safe.
 *
 * @since 0.1.0
 */
public final class RateLimitRetry {

	private final RetrySettings settings;

	private final RetryTime time;

	private final RetryListener listener;

	private final DoubleSupplier random;

	private final Throttle throttle;

	/**
	 * Behave by settings, in the time of this machine.
	 * @param settings the settings
	 */
	public RateLimitRetry(RetrySettings settings) {
		this(settings, RetryTime.system(), RetryListener.NONE);
	}

	/**
	 * Behave by settings.
	 * @param settings the settings
	 * @param time the time to wait by
	 * @param listener is told what happens
	 */
	public RateLimitRetry(RetrySettings settings, RetryTime time, RetryListener listener) {
		this(settings, time, listener, () -> ThreadLocalRandom.current().nextDouble());
	}

	RateLimitRetry(RetrySettings settings, RetryTime time, RetryListener listener, DoubleSupplier random) {
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

	RequestAttempts begin(RetryBudget budget, HttpMethod method, URI uri, HttpHeaders headers) {
		boolean repeatable = this.settings.methods().contains(method.name())
				|| headers.containsHeader(RequestAttempts.KEY);
		budget.earn();
		return new RequestAttempts(this, budget, Throttle.origin(uri), repeatable);
	}

	RetrySettings settings() {
		return this.settings;
	}

	RetryListener listener() {
		return this.listener;
	}

	Throttle throttle() {
		return this.throttle;
	}

	double random() {
		return this.random.getAsDouble();
	}

}
