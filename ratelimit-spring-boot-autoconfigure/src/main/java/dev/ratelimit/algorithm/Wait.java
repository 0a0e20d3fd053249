package dev.ratelimit.algorithm;

/**
 * Internal: the special values of waits in milliseconds.
 */
public final class Wait {

	/** The cost does not fit after any wait. */
	public static final long NEVER = -1;

	private Wait() {
	}

}
