package dev.ratelimit.web.servlet;

/**
 * The content of a request is not the form that its type announces.
 */
final class UnreadableFormException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnreadableFormException(Exception cause) {
		super("The form cannot be read", cause);
	}

}
