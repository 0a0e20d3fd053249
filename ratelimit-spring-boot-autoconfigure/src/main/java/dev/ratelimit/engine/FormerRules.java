package dev.ratelimit.engine;

import java.util.List;
import java.util.OptionalLong;

import dev.ratelimit.rule.RuleSet;

/**
 * Internal: the sets that other instances had active before one that becomes active here.
 * This instance has not had them, and has to know their buckets: some subjects are still
 * counted there. Immutable.
 *
 * @param steps the sets, the oldest first
 * @param sinceNanos the {@link dev.ratelimit.store.Time} since which the others have the
 * set that follows; empty if it becomes active everywhere now
 */
public record FormerRules(List<Step> steps, OptionalLong sinceNanos) {

	/** No sets: what is active here was active everywhere. */
	public static final FormerRules NONE = new FormerRules(List.of(), OptionalLong.empty());

	public FormerRules {
		steps = List.copyOf(steps);
	}

	/**
	 * A set of other instances.
	 *
	 * @param rules the set
	 * @param sinceNanos the {@link dev.ratelimit.store.Time} at which it became active
	 */
	public record Step(RuleSet rules, long sinceNanos) {
	}

}
