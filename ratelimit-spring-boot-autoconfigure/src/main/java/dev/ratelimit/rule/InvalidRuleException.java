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
	 * A rule is wrong.
	 * @param location the property, or the annotated method
	 * @param value its value, empty if there is none
	 * @param reason what is wrong with it, as a clause
	 * @param action what to do about it, as a sentence
	 */
	public InvalidRuleException(String location, String value, String reason, String action) {
		super(location + ((value.isEmpty()) ? "" : " = '" + value + "'") + ": " + reason);
		this.location = location;
		this.value = value;
		this.reason = reason;
		this.action = action;
	}

	/**
	 * The property or the annotated method.
	 * @return the culprit
	 */
	public String location() {
		return this.location;
	}

	/**
	 * The invalid value.
	 * @return the value, empty if there is none
	 */
	public String value() {
		return this.value;
	}

	/**
	 * The reason why the value is invalid.
	 * @return the reason, a clause
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * How to fix it.
	 * @return the action, a sentence
	 */
	public String action() {
		return this.action;
	}

}
