package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;

/**
 * What a rule does, as written: beside which requests it is about, and its numbers.
 * Immutable.
 *
 * @param cost what one request costs, in text form
 * @param failure what answers while the store is unavailable
 * @param mode whether the rule refuses
 * @param onMissingKey what a request without the key gets
 * @param phase when the rule is decided
 * @param status the status of a refusal
 * @param idempotency whether retries are free
 * @param refund whose charges are given back when they are completed
 * @param replaces ids of rules that do not apply where this one does
 * @param bucket the name under which rules share their buckets
 * @param consistency whether each decision asks the store
 * @param access whom the rule does not limit, and whom it refuses
 * @since 0.1.0
 */
public record RuleOptions(Optional<String> cost, Optional<FailurePolicy> failure, Optional<RuleMode> mode,
		Optional<MissingKey> onMissingKey, Optional<Phase> phase, OptionalInt status, Optional<Boolean> idempotency,
		Optional<Refund> refund, List<String> replaces, Optional<String> bucket, Optional<Consistency> consistency,
		Access access) {

	/** Nothing written. */
	public static final RuleOptions EMPTY = new RuleOptions(Optional.empty(), Optional.empty(), Optional.empty(),
			Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty(), List.of(),
			Optional.empty());

	/**
	 * Options that leave it to others whether each decision asks the store.
	 * @param cost what one request costs, in text form
	 * @param failure what answers while the store is unavailable
	 * @param mode whether the rule refuses
	 * @param onMissingKey what a request without the key gets
	 * @param phase when the rule is decided
	 * @param status the status of a refusal
	 * @param idempotency whether retries are free
	 * @param refund whose charges are given back when they are completed
	 * @param replaces ids of rules that do not apply where this one does
	 * @param bucket the name under which rules share their buckets
	 */
	public RuleOptions(Optional<String> cost, Optional<FailurePolicy> failure, Optional<RuleMode> mode,
			Optional<MissingKey> onMissingKey, Optional<Phase> phase, OptionalInt status, Optional<Boolean> idempotency,
			Optional<Refund> refund, List<String> replaces, Optional<String> bucket) {
		this(cost, failure, mode, onMissingKey, phase, status, idempotency, refund, replaces, bucket, Optional.empty(),
				Access.EQUAL);
	}

	/**
	 * These options with another consistency.
	 * @param other whether each decision asks the store
	 * @return the options
	 */
	public RuleOptions with(Optional<Consistency> other) {
		return new RuleOptions(this.cost, this.failure, this.mode, this.onMissingKey, this.phase, this.status,
				this.idempotency, this.refund, this.replaces, this.bucket, other, this.access);
	}

	/**
	 * These options, and another one's where these have none.
	 * @param base the other options
	 * @return the two together
	 */
	public RuleOptions over(RuleOptions base) {
		return new RuleOptions(this.cost.or(base::cost), this.failure.or(base::failure), this.mode.or(base::mode),
				this.onMissingKey.or(base::onMissingKey), this.phase.or(base::phase),
				(this.status.isPresent()) ? this.status : base.status, this.idempotency.or(base::idempotency),
				this.refund.or(base::refund), (this.replaces.isEmpty()) ? base.replaces : this.replaces,
				this.bucket.or(base::bucket), this.consistency.or(base::consistency), this.access.over(base.access));
	}

}
