package dev.ratelimit.rule;

/**
 * Thrown for an invalid rule or property. Contains the property, its value, the reason,
 * and the fix.
 *
 * @since 0.1.0
 */
public class InvalidRuleException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String culprit;

	private final String value;

	private final String reason;

	private final String action;

	/**
	 * Create an exception.
	 * @param culprit the property or the annotated method
	 * @param value the value, empty if there is none
	 * @param reason the reason, as a clause
	 * @param action the fix, as a sentence
	 */
	public InvalidRuleException(String culprit, String value, String reason, String action) {
		super(culprit + ((value.isEmpty()) ? "" : " = '" + value + "'") + ": " + reason);
		this.culprit = culprit;
		this.value = value;
		this.reason = reason;
		this.action = action;
	}

	/**
	 * The property or the annotated method.
	 * @return the culprit
	 */
	public String culprit() {
		return this.culprit;
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
