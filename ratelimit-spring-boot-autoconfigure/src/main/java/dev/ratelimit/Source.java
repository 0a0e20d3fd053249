package dev.ratelimit;

/**
 * The place where a decision was made.
 *
 * @since 0.1.0
 */
public enum Source {

	/** This process. */
	LOCAL,

	/** The shared store. */
	REMOTE,

	/**
	 * The rules' failure policies, because the store did not respond in time. Only this
	 * process counts the requests that they allow.
	 */
	FALLBACK

}
