package dev.ratelimit;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import reactor.core.publisher.Mono;

/**
 * Evaluates rules from code, by id and subject. {@link Subject} escapes names in
 * subjects. Thread-safe.
 * <p>
 * Each subscription to a returned publisher is one decision. A subscriber that cancels
 * before it receives the decision is not charged. A decision that is available at once is
 * emitted on the subscriber's thread, any other on
 * {@link reactor.core.scheduler.Schedulers#parallel()}, never on a thread of the
 * connection to the store.
 * <p>
 * If the store is unavailable, no method fails: each rule applies its failure policy.
 *
 * @since 0.1.0
 */
public interface RateLimiter {

	/**
	 * Charge several rules at once. Either all limits of all rules are charged or none.
	 * Rules whose mode is {@link RuleMode#OFF} are skipped.
	 * @param charges the charges, at most one of each rule
	 * @return the decision, with the verdicts in the order of the charges and the limits
	 * of their rules; fails with an {@link IllegalArgumentException} if a rule does not
	 * exist or is charged twice
	 */
	Mono<Decision> acquire(Collection<RuleCharge> charges);

	/**
	 * Charge the rule's own cost.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @return the decision; fails with an {@link IllegalArgumentException} if the rule
	 * does not exist
	 */
	default Mono<Decision> acquire(String ruleId, String subject) {
		return Mono.defer(() -> acquire(List.of(RuleCharge.of(ruleId, subject))));
	}

	/**
	 * Charge a cost, on all limits of the rule or on none.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @param cost the units to charge, at least 0; 0 only reads the limits
	 * @return the decision; fails with an {@link IllegalArgumentException} if the rule
	 * does not exist or the cost is negative
	 */
	default Mono<Decision> acquire(String ruleId, String subject, long cost) {
		return Mono.defer(() -> acquire(List.of(RuleCharge.of(ruleId, subject, cost))));
	}

	/**
	 * Read the limits without a charge.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @return the decision for a request of cost 0, which is allowed unless the rule
	 * blocks all requests; fails with an {@link IllegalArgumentException} if the rule
	 * does not exist
	 */
	default Mono<Decision> peek(String ruleId, String subject) {
		return acquire(ruleId, subject, 0);
	}

	/**
	 * Let a rule reject all requests of a subject for a while, on all instances within a
	 * second or so. A shorter pause does not end a longer one. Requires
	 * {@code ratelimit.bans.enabled}, unless a rule has the property {@code ban}, or
	 * there are {@code ratelimit.client.quotas}.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @param pause the duration, from 1 ms to 366 days
	 * @return completes when the pause is active on this instance; fails with an
	 * {@link IllegalArgumentException} if the rule does not exist or the duration is out
	 * of range, and with an {@link IllegalStateException} if bans are disabled
	 */
	Mono<Void> pause(String ruleId, String subject, Duration pause);

	/**
	 * Charge several rules at once and wait for the decision. Either all limits of all
	 * rules are charged or none. Rules whose mode is {@link RuleMode#OFF} are skipped.
	 * @param charges the charges, at most one of each rule
	 * @return the decision, with the verdicts in the order of the charges and the limits
	 * of their rules
	 * @throws IllegalArgumentException if a rule does not exist or is charged twice
	 * @throws IllegalStateException if the thread must not block, if it is interrupted,
	 * or if there is no decision 5 s after the deadline; nothing is charged then
	 */
	Decision acquireBlocking(Collection<RuleCharge> charges);

	/**
	 * Charge the rule's own cost and wait for the decision.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @return the decision
	 * @throws IllegalArgumentException if the rule does not exist
	 * @throws IllegalStateException as {@link #acquireBlocking(Collection)}
	 */
	default Decision acquireBlocking(String ruleId, String subject) {
		return acquireBlocking(List.of(RuleCharge.of(ruleId, subject)));
	}

	/**
	 * Charge a cost and wait for the decision.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @param cost the units to charge, at least 0; 0 only reads the limits
	 * @return the decision
	 * @throws IllegalArgumentException if the rule does not exist or the cost is negative
	 * @throws IllegalStateException as {@link #acquireBlocking(Collection)}
	 */
	default Decision acquireBlocking(String ruleId, String subject, long cost) {
		return acquireBlocking(List.of(RuleCharge.of(ruleId, subject, cost)));
	}

	/**
	 * Charge a cost, and wait for its turn if a limit is exhausted. Requests of one limit
	 * wait in a queue, in which clients take turns. A subscriber that cancels leaves the
	 * queue and is not charged. If the wait would be longer than the maximum, the request
	 * is rejected at once.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @param cost the units to charge, at least 0
	 * @param maxWait the maximum wait, up to one hour; 0 does not wait
	 * @return the decision; fails with an {@link IllegalArgumentException} if the rule
	 * does not exist, or the cost or the wait is out of range
	 */
	Mono<Decision> acquire(String ruleId, String subject, long cost, Duration maxWait);

	/**
	 * Charge a cost, and block the thread until its turn comes if a limit is exhausted.
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @param cost the units to charge, at least 0
	 * @param maxWait the maximum wait, up to one hour; 0 does not wait
	 * @return the decision
	 * @throws IllegalArgumentException if the rule does not exist, or the cost or the
	 * wait is out of range
	 * @throws IllegalStateException if the thread must not block, if it is interrupted,
	 * or if there is no decision 5 s after the wait and the deadline; nothing is charged
	 * then
	 */
	Decision acquireBlocking(String ruleId, String subject, long cost, Duration maxWait);

}
