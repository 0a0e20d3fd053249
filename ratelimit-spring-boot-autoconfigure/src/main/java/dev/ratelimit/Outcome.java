package dev.ratelimit;

import java.util.Locale;

/**
 * The outcome of one charge.
 *
 * @since 0.1.0
 */
public enum Outcome {

	/** The charge fits into its bucket. */
	ALLOWED(true, true),

	/** The charge does not fit. */
	REJECTED(false, true),

	/** The charge does not fit, but its rule is in shadow mode. */
	SHADOW_REJECTED(true, true),

	/** The charge does not fit, but its rule degrades requests instead. */
	DEGRADED(true, true),

	/** The client is marked, so the rule charges it nothing. */
	MARKED(true, true),

	/** A retry of a request that was already charged. */
	REPLAYED(true, true),

	/**
	 * The store did not respond, and the rule allows the request. As the outcome of a
	 * verdict, it occurs only if the failure policy is closed but the rule rejects no
	 * request, such as in shadow mode; meters count all requests that a failure policy
	 * allowed as {@code failed_open}.
	 */
	FAILED_OPEN(true, false),

	/** The store did not respond, and the rule rejects the request. */
	FAILED_CLOSED(false, false),

	/** The request does not have the rule's key, and the rule requires it. */
	KEY_MISSING(false, false),

	/** The rule's limit for this client is {@code unlimited}. */
	UNLIMITED(true, false),

	/** The rule's limit for this client is 0, so all requests are rejected. */
	BLOCKED(false, false),

	/** The client bypasses the rule. */
	BYPASSED(true, false),

	/** The client address is on a deny list. */
	DENY_LISTED(false, false),

	/** The client is banned. */
	BANNED(false, false),

	/** The rule is paused for this client. */
	PAUSED(false, false),

	/** This instance has no capacity for the request. */
	SHED(false, false),

	/** Not evaluated, because another charge rejects the request. */
	SKIPPED(true, false),

	/**
	 * The rule lets requests wait, but too many wait already, or the wait would be longer
	 * than its maximum.
	 */
	QUEUE_FULL(false, false),

	/**
	 * The request has waited for the maximum time that the rule allows, and its turn did
	 * not come.
	 */
	WAITED_OUT(false, false);

	private final String tag = name().toLowerCase(Locale.ROOT);

	private final boolean passes;

	private final boolean measured;

	Outcome(boolean passes, boolean measured) {
		this.passes = passes;
		this.measured = measured;
	}

	/**
	 * Return the name of this outcome in meters and JSON.
	 * @return the name in lower case, such as {@code shadow_rejected}
	 */
	public String tag() {
		return this.tag;
	}

	/**
	 * Return whether this charge allows the request.
	 * @return whether the request is allowed
	 */
	public boolean passes() {
		return this.passes;
	}

	/**
	 * Combine the outcomes of two limits of a rule: an outcome that rejects the request
	 * comes first, then one that is neither {@link #ALLOWED} nor {@link #SKIPPED}.
	 * @param other the outcome of the other limit
	 * @return the outcome of the rule
	 */
	public Outcome with(Outcome other) {
		if (!this.passes) {
			return this;
		}
		boolean plain = this == ALLOWED || this == SKIPPED;
		return (!other.passes || (plain && other != SKIPPED)) ? other : this;
	}

	/**
	 * Return whether a store evaluated the bucket, so that the verdict's numbers are
	 * valid.
	 * @return whether the numbers are valid
	 */
	public boolean measured() {
		return this.measured;
	}

}
