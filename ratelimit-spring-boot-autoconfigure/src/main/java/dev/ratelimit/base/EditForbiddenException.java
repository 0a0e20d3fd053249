package dev.ratelimit.base;

/**
 * Internal: thrown if the user does not have the right to make an edit.
 */
public final class EditForbiddenException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param reason the reason, in words
	 */
	public EditForbiddenException(String reason) {
		super(reason);
	}

}
