package dev.ratelimit.client;

/**
 * Thrown for an invalid setting of a {@link Quota}.
 *
 * @since 0.1.0
 */
public class InvalidQuotaException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String setting;

	private final String value;

	private final String reason;

	InvalidQuotaException(String quota, String property, String value, String reason) {
		super("quota '" + quota + "', " + property + " = '" + value + "': " + reason);
		this.setting = quota + "." + property;
		this.value = value;
		this.reason = reason;
	}

	static void require(boolean condition, String quota, String property, Object value, String reason) {
		if (!condition) {
			throw new InvalidQuotaException(quota, property, value.toString(), reason);
		}
	}

	/**
	 * Return the name of the setting, as in properties.
	 * @return the name, such as partner.max-wait
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
