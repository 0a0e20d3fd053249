package dev.ratelimit.rule;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Internal: the numbers of a rule or of one of its plans. Immutable.
 *
 * @param kind whether there are limits at all
 * @param limits all limits, each of which must hold; none unless limited
 * @param store the name of the store that counts them
 */
public record LimitSet(Kind kind, List<Limit> limits, String store) {

	/** The store of limits without a configured store. */
	public static final String DEFAULT_STORE = "default";

	/** The store that counts on this instance only. */
	public static final String LOCAL_STORE = "local";

	/** All requests are allowed, and are counted only in metrics. */
	public static final LimitSet UNLIMITED = new LimitSet(Kind.UNLIMITED, List.of(), DEFAULT_STORE);

	/** All requests are rejected. */
	public static final LimitSet BLOCKED = new LimitSet(Kind.BLOCKED, List.of(), DEFAULT_STORE);

	private static final Comparator<LimitSet> ALLOWED = Comparator.comparingDouble(LimitSet::unitsPerSecond)
		.thenComparingLong(LimitSet::capacity);

	public LimitSet {
		limits = List.copyOf(limits);
		if ((kind == Kind.LIMITED) == limits.isEmpty()) {
			throw new IllegalArgumentException("only limited rules have limits");
		}
		limits.forEach(Algorithms::check);
	}

	boolean isLocal() {
		return this.store.equals(LOCAL_STORE);
	}

	/**
	 * Return the set with the lowest long-term rate, of those that have limits. If
	 * several are equal, the set with the smallest capacity is returned.
	 * @param sets some sets
	 * @return the set; empty if no set has limits, or if some sets limit rates and others
	 * limit concurrent requests
	 */
	static Optional<LimitSet> smallest(Collection<LimitSet> sets) {
		List<LimitSet> limited = sets.stream().filter((set) -> set.kind == Kind.LIMITED).toList();
		long kinds = limited.stream().flatMap((set) -> set.limits.stream()).map(Limit::concurrent).distinct().count();
		return (kinds > 1) ? Optional.empty() : limited.stream().min(ALLOWED);
	}

	private double unitsPerSecond() {
		return this.limits.stream().mapToDouble(LimitSet::rate).min().orElseThrow();
	}

	private static double rate(Limit limit) {
		return (limit.concurrent()) ? limit.quantity() : limit.quantity() * 1000.0 / limit.period().toMillis();
	}

	private long capacity() {
		return this.limits.stream().mapToLong(Limit::burst).min().orElseThrow();
	}

	/**
	 * The kinds of sets.
	 */
	public enum Kind {

		/** There are limits. */
		LIMITED,

		/** All requests are allowed. */
		UNLIMITED,

		/** All requests are rejected. */
		BLOCKED

	}

}
