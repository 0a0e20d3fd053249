package dev.ratelimit.live;

/**
 * Thrown if a source cannot be read or written. The message contains a short reason.
 *
 * @since 0.1.0
 */
public class RuleSourceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param reason the reason, such as {@code timeout}
	 * @param cause the cause
	 */
	public RuleSourceException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
