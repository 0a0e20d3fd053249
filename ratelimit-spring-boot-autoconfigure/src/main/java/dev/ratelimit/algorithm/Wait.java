package dev.ratelimit.algorithm;

/**
 * Internal: what waits in milliseconds are if they have no length.
 */
public final class Wait {

	/** No wait is long enough. */
	public static final long NEVER = -1;

	private Wait() {
	}

}
