package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The numbers of a rule or of a plan as written. Immutable.
 *
 * @param limits the limits
 * @param burst the burst of the only limit
 * @param algorithm the algorithm of limits that name none
 * @since 0.1.0
 */
public record QuotaDefinition(List<LimitDefinition> limits, OptionalLong burst, Optional<String> algorithm) {

	/** Nothing written. */
	public static final QuotaDefinition EMPTY = new QuotaDefinition(List.of(), OptionalLong.empty(), Optional.empty());

	/**
	 * These numbers, and another one's where there are none. A burst belongs to the
	 * limits beside it, so it goes with them.
	 * @param base the other numbers
	 * @return the two together
	 */
	public QuotaDefinition over(QuotaDefinition base) {
		boolean own = this.burst.isPresent() || !this.limits.isEmpty();
		return new QuotaDefinition((this.limits.isEmpty()) ? base.limits : this.limits, (own) ? this.burst : base.burst,
				this.algorithm.or(base::algorithm));
	}

}
