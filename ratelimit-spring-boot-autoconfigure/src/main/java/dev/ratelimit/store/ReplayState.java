package dev.ratelimit.store;

/**
 * The state of a request's replay marker.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public enum ReplayState {

	/** There is no marker, or no room to store it. */
	NONE,

	/** The marker is new, and is stored if the request is allowed. */
	MARKED,

	/** The marker was known: the request was charged before. */
	KNOWN;

	/**
	 * Whether the request was charged before.
	 * @return whether it is a replay
	 */
	public boolean replayed() {
		return this == KNOWN;
	}

	// A replay that was counted stays counted.
	ReplayState withoutReplay() {
		return (this == MARKED) ? MARKED : NONE;
	}

}
