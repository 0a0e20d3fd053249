package dev.ratelimit.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.Consistency;
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
 * @param quota its numbers
 * @param plans numbers that replace the rule's own, by plan
 * @param cost what one request costs
 * @param failure what answers while the store is unavailable
 * @param mode whether the rule refuses
 * @param onMissingKey what a request without the key gets
 * @param phase when the rule is decided
 * @param status the status of a refusal; empty for that of the situation
 * @param idempotency whether a retry with the same idempotency key is free
 * @param refund whose charges are given back when they are completed
 * @param replaces ids of rules that do not apply where this one does
 * @param bucket the name under which rules share their buckets; empty if they do not
 * @param consistency whether each decision asks the store
 * @param access whom the rule does not limit, and whom it refuses
 * @since 0.1.0
 */
public record Rule(String id, Origin origin, Match match, List<KeyPart> key, Quota quota, Map<String, Quota> plans,
		Cost cost, FailurePolicy failure, RuleMode mode, MissingKey onMissingKey, Phase phase, OptionalInt status,
		boolean idempotency, Refund refund, List<String> replaces, Optional<String> bucket, Consistency consistency,
		Access access) {

	/**
	 * A rule each decision of which asks the store, and that limits everybody alike.
	 * @param id the rule's id
	 * @param origin where it was written
	 * @param match which requests
	 * @param key whose bucket; at least one part
	 * @param quota its numbers
	 * @param plans numbers that replace the rule's own, by plan
	 * @param cost what one request costs
	 * @param failure what answers while the store is unavailable
	 * @param mode whether the rule refuses
	 * @param onMissingKey what a request without the key gets
	 * @param phase when the rule is decided
	 * @param status the status of a refusal; empty for that of the situation
	 * @param idempotency whether a retry with the same idempotency key is free
	 * @param refund whose charges are given back when they are completed
	 * @param replaces ids of rules that do not apply where this one does
	 * @param bucket the name under which rules share their buckets
	 */
	public Rule(String id, Origin origin, Match match, List<KeyPart> key, Quota quota, Map<String, Quota> plans,
			Cost cost, FailurePolicy failure, RuleMode mode, MissingKey onMissingKey, Phase phase, OptionalInt status,
			boolean idempotency, Refund refund, List<String> replaces, Optional<String> bucket) {
		this(id, origin, match, key, quota, plans, cost, failure, mode, onMissingKey, phase, status, idempotency,
				refund, replaces, bucket, Consistency.STRICT, Access.EQUAL);
	}

	/**
	 * The limits of callers without a plan of their own.
	 * @return all limits, each of which must hold; none unless limited
	 */
	public List<Limit> limits() {
		return this.quota.limits();
	}

	/**
	 * Whether all clients share the rule's buckets: a rejection means that the server is
	 * short of capacity, not that the client exceeded a limit of its own.
	 * @return whether the key has no part but {@code global} and {@code route}
	 */
	public boolean sharedByAllClients() {
		return this.key.stream()
			.allMatch((part) -> part.kind() == KeyPart.Kind.GLOBAL || part.kind() == KeyPart.Kind.ROUTE);
	}

	/**
	 * Which requests a rule applies to by itself.
	 *
	 * @param paths path patterns after the context path; none means that the rule applies
	 * only where a handler or code names it
	 * @param exceptPaths patterns of paths to leave out
	 * @param methods HTTP methods, upper case; none means all
	 */
	public record Match(List<String> paths, List<String> exceptPaths, List<String> methods) {

		/** No request. */
		public static final Match NONE = new Match(List.of(), List.of(), List.of());

		/**
		 * Whether {@code exceptPaths} leave out every path of {@code paths}, so that the
		 * paths match no request. If that is not certain, they do not.
		 * @return whether no path is left
		 */
		public boolean exceptsAllPaths() {
			return !this.paths.isEmpty() && this.paths.stream()
				.allMatch((path) -> this.exceptPaths.stream().anyMatch((except) -> PathCover.covers(except, path)));
		}

		Match over(Match base) {
			return new Match(or(this.paths, base.paths), or(this.exceptPaths, base.exceptPaths),
					or(this.methods, base.methods));
		}

		private static List<String> or(List<String> own, List<String> base) {
			return (own.isEmpty()) ? base : own;
		}

	}

}
