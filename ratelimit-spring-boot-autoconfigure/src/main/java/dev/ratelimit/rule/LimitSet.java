package dev.ratelimit.rule;

import java.util.List;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Internal: the numbers of a rule or of one of its plans. Immutable.
 *
 * @param kind whether there are limits at all
 * @param limits all limits, each of which must hold; none unless limited
 */
public record LimitSet(Kind kind, List<Limit> limits) {

	/** All requests pass, and are counted in metrics alone. */
	public static final LimitSet UNLIMITED = new LimitSet(Kind.UNLIMITED, List.of());

	/** No request passes. */
	public static final LimitSet BLOCKED = new LimitSet(Kind.BLOCKED, List.of());

	public LimitSet {
		limits = List.copyOf(limits);
		if ((kind == Kind.LIMITED) == limits.isEmpty()) {
			throw new IllegalArgumentException("only limited rules have limits");
		}
		limits.forEach(Algorithms::check);
	}

	/**
	 * Some limits.
	 * @param limits the limits, at least one
	 * @return the quota
	 */
	public static LimitSet of(List<Limit> limits) {
		return new LimitSet(Kind.LIMITED, limits);
	}

	/**
	 * Whether there are limits.
	 */
	public enum Kind {

		/** There are limits. */
		LIMITED,

		/** All passes. */
		UNLIMITED,

		/** Nothing passes. */
		BLOCKED

	}

}
