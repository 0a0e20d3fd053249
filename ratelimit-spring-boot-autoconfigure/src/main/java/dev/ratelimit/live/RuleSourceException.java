package dev.ratelimit.live;

/**
 * A source cannot be read or written now. The message gives the reason in a few words.
 *
 * @since 0.1.0
 */
public class RuleSourceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * An exception.
	 * @param reason the reason, such as {@code timeout}
	 * @param cause the cause
	 */
	public RuleSourceException(String reason, Throwable cause) {
		super(reason, cause);
	}

}
