package dev.ratelimit.rule;

/**
 * Internal: thrown for an invalid rule or property. Contains the property, its value, the
 * reason, and the fix.
 */
public class InvalidRuleException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String location;

	private final String value;

	private final String reason;

	private final String action;

	/**
	 * Create an exception for an invalid rule.
	 * @param location the property, or the annotated method
	 * @param value its value, empty if there is none
	 * @param reason the reason why it is invalid, a clause
	 * @param action the fix, a sentence
	 */
	public InvalidRuleException(String location, String value, String reason, String action) {
		super(location + ((value.isEmpty()) ? "" : " = '" + value + "'") + ": " + reason);
		this.location = location;
		this.value = value;
		this.reason = reason;
		this.action = action;
	}

	/**
	 * Return the property or the annotated method.
	 * @return the location
	 */
	public String location() {
		return this.location;
	}

	/**
	 * Return the invalid value.
	 * @return the value; empty if there is none
	 */
	public String value() {
		return this.value;
	}

	/**
	 * Return the reason why the value is invalid.
	 * @return the reason, a clause
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Return the action that fixes it.
	 * @return the action, a sentence
	 */
	public String action() {
		return this.action;
	}

}
