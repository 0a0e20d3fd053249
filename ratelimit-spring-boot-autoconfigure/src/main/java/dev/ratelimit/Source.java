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
	 * The rules' failure policies, because the store did not respond in time. This
	 * process counts the requests that they allow. Charges that the store certainly does
	 * not have are made when it responds again.
	 */
	FALLBACK

}
