package dev.ratelimit.web.servlet;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ResponseStatusException;

/**
 * Thrown if the content of a request is not a form although its type declares one, or if
 * it has more bytes or fields than the server reads. Contains the status of the response.
 */
final class UnreadableFormException extends ResponseStatusException {

	private static final long serialVersionUID = 1L;

	private static final HttpStatusCode TOO_LARGE = HttpStatusCode.valueOf(413);

	private UnreadableFormException(HttpStatusCode status, String reason, Throwable cause) {
		super(status, reason, cause);
	}

	UnreadableFormException(Exception cause) {
		this(HttpStatus.BAD_REQUEST, "The form cannot be read", cause);
	}

	static UnreadableFormException tooLarge(Exception cause) {
		return new UnreadableFormException(TOO_LARGE, "The form is too large", cause);
	}

	int status() {
		return getStatusCode().value();
	}

}
