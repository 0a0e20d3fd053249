package dev.ratelimit.client;

/**
 * A setting of a client that can never work.
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
	 * The setting, as it is called in properties.
	 * @return the name, such as max-wait
	 */
	public String setting() {
		return this.setting;
	}

	/**
	 * The value that is wrong.
	 * @return the value
	 */
	public String value() {
		return this.value;
	}

	/**
	 * What is wrong.
	 * @return the reason, a clause
	 */
	public String reason() {
		return this.reason;
	}

}
