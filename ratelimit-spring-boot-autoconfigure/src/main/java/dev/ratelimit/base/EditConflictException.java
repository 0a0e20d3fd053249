package dev.ratelimit.base;

/**
 * Internal: thrown if another user has changed the rules since they were read, or if this
 * instance cannot change the rules.
 */
public final class EditConflictException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param reason the reason, in words
	 */
	public EditConflictException(String reason) {
		super(reason);
	}

}
