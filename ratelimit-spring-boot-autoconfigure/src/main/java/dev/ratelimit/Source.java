package dev.ratelimit;

/**
 * Who gave an answer.
 *
 * @since 0.1.0
 */
public enum Source {

	/** This process. */
	LOCAL,

	/** The shared store. */
	REMOTE,

	/**
	 * The rules' failure policies, because the store did not respond in time. What they
	 * allow was counted by this process alone.
	 */
	FALLBACK

}
