package dev.ratelimit.algorithm;

/**
 * Internal: the values of waits in milliseconds that have no length.
 */
public final class Wait {

	/** No wait is long enough. */
	public static final long NEVER = -1;

	private Wait() {
	}

}
