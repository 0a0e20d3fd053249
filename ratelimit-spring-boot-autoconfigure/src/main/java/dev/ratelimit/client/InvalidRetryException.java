package dev.ratelimit.client;

/**
 * Thrown for an invalid setting of HTTP client retries.
 *
 * @since 0.1.0
 */
public class InvalidRetryException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String setting;

	private final String value;

	private final String reason;

	InvalidRetryException(String setting, String value, String reason) {
		super(setting + " = '" + value + "': " + reason);
		this.setting = setting;
		this.value = value;
		this.reason = reason;
	}

	/**
	 * Return the name of the setting, as in properties.
	 * @return the name, such as max-wait
	 */
	public String setting() {
		return this.setting;
	}

	/**
	 * Return the invalid value.
	 * @return the value
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

}
