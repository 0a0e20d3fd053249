package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;

/**
 * A rule as written in one place: what is left out is empty. Definitions of one rule are
 * laid over each other, and over the defaults. Immutable.
 *
 * @param paths path patterns after the context path
 * @param exceptPaths patterns of paths to leave out
 * @param methods HTTP methods, upper case
 * @param key the key's parts in text form
 * @param limits the limits
 * @param burst the burst of the only limit
 * @param algorithm the algorithm of limits that name none
 * @param cost what one request costs
 * @param failure what answers while the store is unavailable
 * @param mode whether the rule refuses
 * @param onMissingKey what a request without the key gets
 * @param phase when the rule is decided
 * @param status the status of a refusal
 * @param idempotency whether retries are free
 * @param programmatic whether code alone calls the rule
 * @param options what only some algorithms know, for limits that do not say it themselves
 * @since 0.1.0
 */
public record RuleDefinition(List<String> paths, List<String> exceptPaths, List<String> methods, List<String> key,
		List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm, OptionalLong cost,
		Optional<FailurePolicy> failure, Optional<RuleMode> mode, Optional<MissingKey> onMissingKey,
		Optional<Phase> phase, OptionalInt status, Optional<Boolean> idempotency, boolean programmatic,
		LimitOptions options) {

	/** Nothing written. */
	public static final RuleDefinition EMPTY = new RuleDefinition(List.of(), List.of(), List.of(), List.of(), List.of(),
			OptionalLong.empty(), Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty(),
			Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty(), false);

	/**
	 * A definition without options.
	 * @param paths path patterns after the context path
	 * @param exceptPaths patterns of paths to leave out
	 * @param methods names of HTTP methods, upper case
	 * @param key the key's parts in text form
	 * @param limits the limits
	 * @param burst the burst of the only limit
	 * @param algorithm the algorithm of limits that name none
	 * @param cost what one request costs
	 * @param failure what answers while the store is unavailable
	 * @param mode whether the rule refuses
	 * @param onMissingKey what a request without the key gets
	 * @param phase when the rule is decided
	 * @param status the status of a refusal
	 * @param idempotency whether retries are free
	 * @param programmatic whether code alone calls the rule
	 */
	public RuleDefinition(List<String> paths, List<String> exceptPaths, List<String> methods, List<String> key,
			List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm, OptionalLong cost,
			Optional<FailurePolicy> failure, Optional<RuleMode> mode, Optional<MissingKey> onMissingKey,
			Optional<Phase> phase, OptionalInt status, Optional<Boolean> idempotency, boolean programmatic) {
		this(paths, exceptPaths, methods, key, limits, burst, algorithm, cost, failure, mode, onMissingKey, phase,
				status, idempotency, programmatic, LimitOptions.NONE);
	}

	/**
	 * This definition, and another one's values where this one has none. A burst belongs
	 * to the limits beside it, so it goes with them, and so do their options.
	 * @param base the other definition
	 * @return the two together
	 */
	public RuleDefinition over(RuleDefinition base) {
		OptionalLong ownBurst = (this.burst.isPresent() || !this.limits.isEmpty()) ? this.burst : base.burst;
		return new RuleDefinition(or(this.paths, base.paths), or(this.exceptPaths, base.exceptPaths),
				or(this.methods, base.methods), or(this.key, base.key), or(this.limits, base.limits), ownBurst,
				this.algorithm.or(base::algorithm), (this.cost.isPresent()) ? this.cost : base.cost,
				this.failure.or(base::failure), this.mode.or(base::mode), this.onMissingKey.or(base::onMissingKey),
				this.phase.or(base::phase), (this.status.isPresent()) ? this.status : base.status,
				this.idempotency.or(base::idempotency), this.programmatic || base.programmatic,
				(this.limits.isEmpty()) ? this.options.over(base.options) : this.options);
	}

	private static <T> List<T> or(List<T> own, List<T> base) {
		return (own.isEmpty()) ? base : own;
	}

}
