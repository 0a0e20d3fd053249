package dev.ratelimit;

import reactor.core.publisher.Mono;

/**
 * Applies rules to subjects, for code that is not a controller method. Thread-safe. Each
 * subscription is one decision. If a subscriber cancels before the decision, nothing is
 * charged. The returned publishers never fail because the store is unavailable: the rule
 * applies its failure policy. A decision by Redis is emitted on the event loop of the
 * connection. Subsequent operators must not block there, or must switch threads with
 * {@code publishOn}.
 *
 * @since 0.1.0
 */
public interface RateLimiter {

	/**
	 * Charge the rule's own cost.
	 * @param ruleId the id of the rule
	 * @param subject the subject, such as {@code user:42}
	 * @return the decision; an {@link IllegalArgumentException} if there is no such rule
	 */
	Mono<Decision> acquire(String ruleId, String subject);

	/**
	 * Charge a cost against all limits of the rule, or against none.
	 * @param ruleId the id of the rule
	 * @param subject the subject, such as {@code user:42}
	 * @param cost units to charge, at least 0; 0 charges nothing
	 * @return the decision; an {@link IllegalArgumentException} if there is no such rule
	 */
	Mono<Decision> acquire(String ruleId, String subject, long cost);

	/**
	 * Get a decision without charging.
	 * @param ruleId the id of the rule
	 * @param subject the subject, such as {@code user:42}
	 * @return the decision for a request of cost 0, which is allowed unless the rule
	 * blocks all requests; an {@link IllegalArgumentException} if there is no such rule
	 */
	default Mono<Decision> peek(String ruleId, String subject) {
		return acquire(ruleId, subject, 0);
	}

}
