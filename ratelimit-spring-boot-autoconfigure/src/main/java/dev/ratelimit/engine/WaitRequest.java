package dev.ratelimit.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.ratelimit.rule.Waiting;

/**
 * Internal: a request that may wait. Immutable.
 *
 * @param applied the rules that apply, each at most once
 * @param retry the request's idempotency key, if it has one
 * @param flow the flow of the request in the queues of a rule
 * @param maxNanos the maximum wait under any rule; empty for the maximum of its rules
 * @param spentNanos the part of the deadline that earlier phases of the request have used
 * @param places the places, one of which it occupies while it waits; empty if it requires
 * none
 */
public record WaitRequest(List<AppliedRule> applied, Optional<RetryKey> retry, Function<AppliedRule, String> flow,
		OptionalLong maxNanos, long spentNanos, Optional<WaitingPlaces> places) {

	/**
	 * Return the maximum wait in the queues of a rule.
	 * @param rule the rule
	 * @return nanoseconds, negative if it does not wait
	 */
	public long maxNanos(AppliedRule rule) {
		if (this.maxNanos.isPresent()) {
			return this.maxNanos.getAsLong();
		}
		return (rule.rule().waits())
				? TimeUnit.MILLISECONDS.toNanos(
						rule.rule().rule().reaction().waiting().map((waiting) -> waiting.max().toMillis()).orElse(0L))
				: -1;
	}

	/**
	 * Return the maximum length of a queue of a rule.
	 * @param rule the rule
	 * @return the number of requests
	 */
	public int queue(AppliedRule rule) {
		return rule.rule().rule().reaction().waiting().map(Waiting::queue).orElse(Waiting.DEFAULT_QUEUE);
	}

}
