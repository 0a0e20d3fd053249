package dev.ratelimit.web;

import dev.ratelimit.gate.RequestProgress;

/**
 * Internal: how a request enters the gate. Found in the first phase, and kept for those
 * after it. The reasons why rules do not count a request are those of
 * {@code docs/concepts/requests.md}.
 */
public enum Entry implements RequestProgress.Finding {

	/** All rules that match count it. */
	COUNTED(""),

	/** A CORS preflight as browsers send it. Meets bans, and takes a seat. */
	PREFLIGHT("preflight"),

	/** A request for health without credentials. Meets nothing. */
	HEALTH("health"),

	/** A request of management without credentials. Takes a seat of management. */
	MANAGEMENT("management"),

	/** A request for health with credentials. */
	HEALTH_WITH_CREDENTIALS("management with credentials"),

	/** Another request of management with credentials. */
	MANAGEMENT_WITH_CREDENTIALS("management with credentials"),

	/** A request to a server of management's own. Meets nothing. */
	MANAGEMENT_PORT("management port");

	private final String reason;

	Entry(String reason) {
		this.reason = reason;
	}

	/**
	 * Why not all rules count the request.
	 * @return the reason as the documentation names it; empty if they do
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Whether no rule counts the request.
	 * @return whether it is charged nothing
	 */
	public boolean isExempt() {
		return this != COUNTED && !presentsCredentials();
	}

	/**
	 * Whether management may have to check credentials for the request.
	 * @return whether early rules count it, unless the credentials are right
	 */
	public boolean presentsCredentials() {
		return this == HEALTH_WITH_CREDENTIALS || this == MANAGEMENT_WITH_CREDENTIALS;
	}

	/**
	 * Whether management serves the request, which takes no seat of the application.
	 * @return whether it is a request of management
	 */
	public boolean isManagement() {
		return this != COUNTED && this != PREFLIGHT;
	}

	/**
	 * Whether nothing of the gate applies to the request, not even the seats.
	 * @return whether it meets nothing
	 */
	public boolean isFree() {
		return this == HEALTH || this == MANAGEMENT_PORT;
	}

}
