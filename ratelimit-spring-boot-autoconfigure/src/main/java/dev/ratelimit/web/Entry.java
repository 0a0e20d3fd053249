package dev.ratelimit.web;

import dev.ratelimit.gate.RequestProgress;

/**
 * Internal: the kind of a request at the gate. Found in the first phase, and kept for
 * those after it. The reasons why rules do not count a request are those of
 * {@code docs/concepts/requests.md}.
 */
public enum Entry implements RequestProgress.Finding {

	/** A request that all matching rules count. */
	COUNTED(""),

	/** A CORS preflight as browsers send it. Bans apply to it, and it takes a seat. */
	PREFLIGHT("preflight"),

	/** A request for health without credentials. Nothing applies to it. */
	HEALTH("health"),

	/** A request of management without credentials. Takes a seat of management. */
	MANAGEMENT("management"),

	/** A request for health with credentials. */
	HEALTH_WITH_CREDENTIALS("management with credentials"),

	/** Another request of management with credentials. */
	MANAGEMENT_WITH_CREDENTIALS("management with credentials"),

	/** A request to a server of management's own. Nothing applies to it. */
	MANAGEMENT_PORT("management port");

	private final String reason;

	Entry(String reason) {
		this.reason = reason;
	}

	/**
	 * Return the reason why not all rules count the request.
	 * @return the reason as the documentation names it; empty if all rules count it
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Return whether no rule counts the request.
	 * @return whether it is charged nothing
	 */
	public boolean isExempt() {
		return this != COUNTED && !presentsCredentials();
	}

	/**
	 * Return whether management may have to check credentials for the request.
	 * @return whether early rules count it, unless the credentials are right
	 */
	boolean presentsCredentials() {
		return this == HEALTH_WITH_CREDENTIALS || this == MANAGEMENT_WITH_CREDENTIALS;
	}

	/**
	 * Return whether management serves the request, which takes no seat of the
	 * application.
	 * @return whether it is a request of management
	 */
	public boolean isManagement() {
		return this != COUNTED && this != PREFLIGHT;
	}

	/**
	 * Return whether nothing of the gate applies to the request, not even the seats.
	 * @return whether nothing applies
	 */
	boolean isFree() {
		return this == HEALTH || this == MANAGEMENT_PORT;
	}

}
