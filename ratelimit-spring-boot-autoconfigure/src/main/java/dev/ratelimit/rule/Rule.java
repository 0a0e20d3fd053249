package dev.ratelimit.rule;

import java.util.List;
import java.util.OptionalInt;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;

/**
 * A named policy: which requests, whose bucket, which limits, and what happens on excess
 * and on store failure. Data only. Immutable.
 *
 * @param id the rule's id
 * @param origin where it was written
 * @param match which requests, beside those of handlers that name the rule
 * @param key whose bucket; at least one part
 * @param limits all limits, each of which must hold; at least one
 * @param cost units that one request costs, at least 1
 * @param failure what answers while the store is unavailable
 * @param mode whether the rule refuses
 * @param onMissingKey what a request without the key gets
 * @param phase when the rule is decided
 * @param status the status of a refusal; empty for that of the situation
 * @param idempotency whether a retry with the same idempotency key is free
 * @since 0.1.0
 */
public record Rule(String id, Origin origin, Match match, List<KeyPart> key, List<Limit> limits, long cost,
		FailurePolicy failure, RuleMode mode, MissingKey onMissingKey, Phase phase, OptionalInt status,
		boolean idempotency) {

	/**
	 * Which requests a rule applies to by itself.
	 *
	 * @param paths path patterns after the context path; none means that the rule applies
	 * only where a handler or code names it
	 * @param exceptPaths patterns of paths to leave out
	 * @param methods HTTP methods; none means all
	 */
	public record Match(List<String> paths, List<String> exceptPaths, List<String> methods) {
	}

}
