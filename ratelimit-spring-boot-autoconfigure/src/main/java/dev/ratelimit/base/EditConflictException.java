package dev.ratelimit.base;

/**
 * Internal: an edit that must not be made, because another user changed the rules since,
 * or because they cannot be changed here.
 */
public final class EditConflictException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * An exception.
	 * @param reason the reason, in words
	 */
	public EditConflictException(String reason) {
		super(reason);
	}

}
