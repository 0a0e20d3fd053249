package dev.ratelimit;

import reactor.core.publisher.Mono;

/**
 * Decides by rule and subject, for code that is not a controller method. Thread-safe.
 * Each subscription is one decision, which a subscriber that cancels before it does not
 * pay. The returned publishers never fail because the store is unavailable: the rule's
 * failure policy answers. A decision made by Redis is emitted on the connection's event
 * loop: what follows must not block there, or must move on with {@code publishOn}.
 *
 * @since 0.1.0
 */
public interface RateLimiter {

	/**
	 * Charges the rule's own cost.
	 * @param ruleId the rule
	 * @param subject whose bucket, such as {@code user:42}
	 * @return the decision; an {@link IllegalArgumentException} if there is no such rule
	 */
	Mono<Decision> acquire(String ruleId, String subject);

	/**
	 * Charges a cost, on all limits of the rule or on none.
	 * @param ruleId the rule
	 * @param subject whose bucket, such as {@code user:42}
	 * @param cost units to charge, at least 0; 0 only looks
	 * @return the decision; an {@link IllegalArgumentException} if there is no such rule
	 */
	Mono<Decision> acquire(String ruleId, String subject, long cost);

	/**
	 * Looks without charging.
	 * @param ruleId the rule
	 * @param subject whose bucket, such as {@code user:42}
	 * @return the decision for a request of cost 0, which is allowed unless the rule
	 * blocks all requests; an {@link IllegalArgumentException} if there is no such rule
	 */
	default Mono<Decision> peek(String ruleId, String subject) {
		return acquire(ruleId, subject, 0);
	}

}
