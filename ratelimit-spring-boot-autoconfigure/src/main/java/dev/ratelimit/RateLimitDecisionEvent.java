package dev.ratelimit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A decision, as a {@link DecisionEventSink} receives it. Immutable.
 *
 * @param at the time of the decision, by the clock of the instance
 * @param instance the instance that made the decision
 * @param version the version of the rules
 * @param allowed whether the request was allowed
 * @param reason the reason
 * @param source the place where the decision was made
 * @param parts one part for each rule that was evaluated
 * @param tookNanos duration of the decision in nanoseconds
 * @param weight the number of decisions that the event represents: 1 divided by the ratio
 * of the decisions that are sent. Sums of weights estimate numbers of decisions, as long
 * as no events are dropped
 * @since 0.1.0
 */
public record RateLimitDecisionEvent(Instant at, String instance, long version, boolean allowed, Reason reason,
		Source source, List<Part> parts, long tookNanos, double weight) {

	public RateLimitDecisionEvent {
		parts = List.copyOf(parts);
	}

	/**
	 * The result of one rule. Immutable.
	 *
	 * @param rule the id of the rule, or {@code *} for {@code ratelimit.deny}
	 * @param subject the subject, hashed by default; empty if it is unknown because the
	 * key is missing or the client is on a list
	 * @param plan the plan of the client; empty if the rule's own limits apply
	 * @param cost requested units
	 * @param outcome the outcome
	 * @param remaining the fewest remaining units of the rule's limits; empty if the
	 * outcome is not measured
	 */
	public record Part(String rule, Optional<String> subject, Optional<String> plan, long cost, Outcome outcome,
			OptionalLong remaining) {
	}

}
