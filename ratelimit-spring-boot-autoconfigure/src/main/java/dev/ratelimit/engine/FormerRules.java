package dev.ratelimit.engine;

import java.util.List;
import java.util.OptionalLong;

import dev.ratelimit.rule.RuleSet;

/**
 * Internal: the active sets of other instances before a set that becomes active here.
 * This instance did not have these sets, but requires their buckets, because some
 * subjects are still counted there. Immutable.
 *
 * @param steps the sets, the oldest first
 * @param sinceNanos the {@link dev.ratelimit.store.Time} since which the set that follows
 * is active on other instances; empty if it becomes active on all instances now
 */
public record FormerRules(List<Step> steps, OptionalLong sinceNanos) {

	/** No sets: the active rules here were active on all instances. */
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
