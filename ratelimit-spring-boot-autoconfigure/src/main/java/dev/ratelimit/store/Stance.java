package dev.ratelimit.store;

import dev.ratelimit.Outcome;

/**
 * The effect of a charge that does not fit.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public enum Stance {

	/** The request is rejected. */
	ENFORCED(Outcome.REJECTED),

	/** The handler of the request is notified. */
	DEGRADING(Outcome.DEGRADED),

	/** The request is allowed; the rule only counts it. */
	WATCHING(Outcome.SHADOW_REJECTED),

	/** The request is allowed and not charged; the client is marked. */
	MARKING(Outcome.MARKED);

	private final Outcome excess;

	Stance(Outcome excess) {
		this.excess = excess;
	}

	/**
	 * Whether a charge that does not fit rejects the request.
	 * @return whether it rejects
	 */
	public boolean rejects() {
		return this == ENFORCED;
	}

	/**
	 * Whether a charge that fits is taken. A charge of a marking rule could not be
	 * refunded, because its outcome is {@code MARKED} whether it fits or not.
	 * @return whether it is taken
	 */
	public boolean takes() {
		return this != MARKING;
	}

	/**
	 * Whether this stance applies if two rules charge one bucket together.
	 * @param other the stance of the other rule
	 * @return whether this one is the stricter one
	 */
	public boolean prevails(Stance other) {
		return compareTo(other) < 0;
	}

	/**
	 * The outcome of a charge that does not fit.
	 * @return the outcome
	 */
	public Outcome excess() {
		return this.excess;
	}

}
