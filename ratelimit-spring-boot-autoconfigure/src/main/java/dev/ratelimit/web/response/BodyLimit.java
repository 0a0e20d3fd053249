package dev.ratelimit.web.response;

import java.nio.charset.StandardCharsets;

import org.springframework.http.HttpStatus;

/**
 * Internal: the responses to requests whose body is too long, or of unknown length.
 */
public final class BodyLimit {

	private BodyLimit() {
	}

	/**
	 * Return the body of the response.
	 * @param status 411 or 413
	 * @param maxBytes the maximum length of a body
	 * @return a problem as JSON
	 */
	public static byte[] problem(HttpStatus status, long maxBytes) {
		String detail = (status == HttpStatus.LENGTH_REQUIRED) ? "Set the header Content-Length."
				: "The body must have at most " + maxBytes + " bytes.";
		return "{\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
			.formatted(status.getReasonPhrase(), status.value(), detail)
			.getBytes(StandardCharsets.UTF_8);
	}

}
