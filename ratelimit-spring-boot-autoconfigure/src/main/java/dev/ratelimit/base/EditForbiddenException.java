package dev.ratelimit.base;

/**
 * Internal: an edit that its user may not make.
 */
public final class EditForbiddenException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * An exception.
	 * @param reason the reason, in words
	 */
	public EditForbiddenException(String reason) {
		super(reason);
	}

}
