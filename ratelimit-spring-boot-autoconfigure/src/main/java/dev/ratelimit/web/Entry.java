package dev.ratelimit.web;

import dev.ratelimit.gate.RequestProgress;

/**
 * Internal: the kind of a request at the gate. Found in the first phase, and kept for
 * later phases. The reasons why rules do not count a request are those of
 * {@code docs/concepts/requests.md}.
 */
public enum Entry implements RequestProgress.Matched {

	/** A request that all matching rules count. */
	COUNTED(""),

	/**
	 * A CORS preflight in the form that browsers send. Bans apply to it, and it takes a
	 * seat.
	 */
	PREFLIGHT("preflight"),

	/** A request for health without credentials. No rules, bans, or seats apply to it. */
	HEALTH("health"),

	/** A request to management without credentials. It takes a seat of management. */
	MANAGEMENT("management"),

	/** A request for health with credentials. */
	HEALTH_WITH_CREDENTIALS("management with credentials"),

	/** Another request to management with credentials. */
	MANAGEMENT_WITH_CREDENTIALS("management with credentials"),

	/**
	 * A request to a separate management server. No rules, bans, or seats apply to it.
	 */
	MANAGEMENT_PORT("management port");

	private final String reason;

	Entry(String reason) {
		this.reason = reason;
	}

	/**
	 * Return the reason why not all rules count the request.
	 * @return the reason in the words of the documentation; empty if all rules count it
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Return whether no rule counts the request.
	 * @return whether it is not charged
	 */
	public boolean isExempt() {
		return this != COUNTED && !presentsCredentials();
	}

	/**
	 * Return whether the request presents credentials that management may have to check.
	 * @return whether early rules count it unless the credentials are valid
	 */
	boolean presentsCredentials() {
		return this == HEALTH_WITH_CREDENTIALS || this == MANAGEMENT_WITH_CREDENTIALS;
	}

	/**
	 * Return whether management serves the request, which takes no seat of the
	 * application.
	 * @return whether it is a request to management
	 */
	public boolean isManagement() {
		return this != COUNTED && this != PREFLIGHT;
	}

	/**
	 * Return whether neither rules, bans, nor seats apply to the request.
	 * @return whether the gate ignores it
	 */
	boolean isFree() {
		return this == HEALTH || this == MANAGEMENT_PORT;
	}

}
