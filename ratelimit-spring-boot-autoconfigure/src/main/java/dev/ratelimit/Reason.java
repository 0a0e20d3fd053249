package dev.ratelimit;

import java.util.Locale;

/**
 * The reason for which a request was allowed or rejected.
 *
 * @since 0.1.0
 */
public enum Reason {

	/** No rule applies. */
	UNMATCHED,

	/** Every charge fits. */
	WITHIN_LIMITS,

	/** A retry with a known idempotency key. */
	REPLAYED,

	/** A bucket has too few remaining units. */
	LIMIT_EXCEEDED,

	/** The cost is above the capacity of a bucket, so waiting does not help. */
	COST_ABOVE_CAPACITY,

	/** The request does not have a key that a rule requires. */
	KEY_MISSING,

	/** A rule's limit for this client is 0, so all requests are rejected. */
	BLOCKED,

	/** The client bypasses all rules that apply. */
	BYPASSED,

	/** The client address is on a deny list. */
	DENY_LISTED,

	/** The client is banned. */
	BANNED,

	/** A rule is paused for this client. */
	PAUSED,

	/** This instance has no capacity for the request. */
	SHED,

	/** The store did not respond, so rules applied their failure policy. */
	STORE_UNAVAILABLE;

	private final String tag = name().toLowerCase(Locale.ROOT);

	/**
	 * Return the name of this reason in meters and JSON.
	 * @return the name in lower case, such as {@code limit_exceeded}
	 */
	public String tag() {
		return this.tag;
	}

}
