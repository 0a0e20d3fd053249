package dev.ratelimit;

/**
 * What became of one charge.
 *
 * @since 0.1.0
 */
public enum Outcome {

	/** It fits into its bucket. */
	ALLOWED(true, true),

	/** It does not fit. */
	DENIED(false, true),

	/** It does not fit, and its rule only watches. */
	SHADOW_DENIED(true, true),

	/** A retry of a request that has paid already. */
	REPLAYED(true, true),

	/**
	 * The store did not respond, and the rule allows the request. As an outcome of a
	 * verdict, only a closed rule in shadow mode has it; meters count as
	 * {@code failed_open} whatever a failure policy allowed.
	 */
	FAILED_OPEN(true, false),

	/** The store did not answer and the rule is closed. */
	FAILED_CLOSED(false, false),

	/** The request lacks the rule's key and the rule demands it. */
	KEY_MISSING(false, false),

	/** The rule lets this caller pass without limit. */
	UNLIMITED(true, false),

	/** The rule lets this caller not pass at all. */
	BLOCKED(false, false),

	/** The rule does not limit this caller. */
	BYPASSED(true, false),
	/** The caller's address is refused, whatever it has left. */
	BANNED(false, false),
	/** Nobody looked: another charge refuses the request already. */
	SKIPPED(true, false);

	private final boolean passes;

	private final boolean measured;

	Outcome(boolean passes, boolean measured) {
		this.passes = passes;
		this.measured = measured;
	}

	/**
	 * Whether the request may pass as far as this charge is concerned.
	 * @return whether it passes
	 */
	public boolean passes() {
		return this.passes;
	}

	/**
	 * Whether a store looked at the bucket, so that the verdict's numbers mean something.
	 * @return whether there are numbers
	 */
	public boolean measured() {
		return this.measured;
	}

}
