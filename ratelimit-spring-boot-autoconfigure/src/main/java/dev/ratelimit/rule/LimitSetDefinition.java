package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Internal: the numbers of a rule or of a plan as written. Immutable.
 *
 * @param limits the limits
 * @param burst the burst of the only limit
 * @param algorithm the algorithm of limits that name none
 * @param options what only some algorithms know, for limits that do not say it themselves
 */
public record LimitSetDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm,
		LimitOptions options) {

	/** Nothing written. */
	public static final LimitSetDefinition EMPTY = new LimitSetDefinition(List.of(), OptionalLong.empty(),
			Optional.empty(), LimitOptions.NONE);

	/**
	 * Numbers without options.
	 * @param limits the limits
	 * @param burst the burst of the only limit
	 * @param algorithm the algorithm of limits that name none
	 */
	public LimitSetDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm) {
		this(limits, burst, algorithm, LimitOptions.NONE);
	}

	/**
	 * These numbers, and another one's where there are none. A burst belongs to the
	 * limits beside it, so it goes with them, and so do their options.
	 * @param base the other numbers
	 * @return the two together
	 */
	public LimitSetDefinition over(LimitSetDefinition base) {
		boolean own = this.burst.isPresent() || !this.limits.isEmpty();
		return new LimitSetDefinition((this.limits.isEmpty()) ? base.limits : this.limits,
				(own) ? this.burst : base.burst, this.algorithm.or(base::algorithm),
				(this.limits.isEmpty()) ? this.options.over(base.options) : this.options);
	}

	// Plans and overrides have numbers of their own, and inherit how to count.
	LimitSetDefinition withoutNumbers() {
		return new LimitSetDefinition(List.of(), OptionalLong.empty(), this.algorithm, this.options);
	}

}
