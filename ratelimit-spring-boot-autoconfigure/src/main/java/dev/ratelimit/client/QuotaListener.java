package dev.ratelimit.client;

import java.time.Duration;

import dev.ratelimit.Decision;

/**
 * Callback for requests that charge a quota. It is called on the thread that continues
 * the request. Implementations must be quick and thread-safe, and must not throw.
 *
 * @since 0.1.0
 */
public interface QuotaListener {

	/** A listener that does nothing. */
	QuotaListener NONE = new QuotaListener() {
	};

	/**
	 * A quota was charged, or rejected a request.
	 * @param quota the quota
	 * @param decision the decision of its rule
	 */
	default void decided(Quota quota, Decision decision) {
	}

	/**
	 * The server rejected a request, and the rule is paused.
	 * @param quota the quota
	 * @param pause how long the rule rejects, from now
	 */
	default void paused(Quota quota, Duration pause) {
	}

}
