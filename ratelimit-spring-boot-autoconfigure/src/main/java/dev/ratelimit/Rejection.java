package dev.ratelimit;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The response to a rejected request. Immutable, except for the bytes of its content,
 * which must not be modified. Without content, the body is the problem: as JSON, or as a
 * page for browsers.
 *
 * @param decision the decision that rejects the request
 * @param problem the problem; its status is that of the response
 * @param retryAfterSeconds the wait after which the request fits, at least 1; empty if
 * waiting does not help
 * @param headers the headers of the response, by name, except content headers
 * @param content the body that replaces the problem
 * @since 0.1.0
 */
public record Rejection(Decision decision, Problem problem, OptionalLong retryAfterSeconds, Map<String, String> headers,
		Optional<Content> content) {

	private static final List<String> OF_CONTENT = List.of("content-type", "content-length", "transfer-encoding");

	/** Separators, which the name of a header cannot contain. */
	private static final String SEPARATORS = "()<>@,;:\\\"/[]?={}";

	public Rejection {
		Map<String, String> checked = new LinkedHashMap<>();
		headers.forEach((name, value) -> checked.put(name(name), value(name, value)));
		headers = Collections.unmodifiableMap(checked);
	}

	/**
	 * Return this rejection with another status.
	 * @param status the status, from 400 to 599
	 * @return the rejection
	 * @throws IllegalArgumentException if the status is out of range
	 */
	public Rejection withStatus(int status) {
		return with(this.problem.withStatus(status));
	}

	/**
	 * Return this rejection with another problem.
	 * @param other the problem
	 * @return the rejection
	 */
	public Rejection with(Problem other) {
		return new Rejection(this.decision, other, this.retryAfterSeconds, this.headers, this.content);
	}

	/**
	 * Return this rejection with an additional header, which replaces one with the same
	 * name.
	 * @param name the name, except {@code Content-Type} and {@code Content-Length}, which
	 * depend on the content
	 * @param value the value, without control characters
	 * @return the rejection
	 * @throws IllegalArgumentException if the name is not a token or that of a content
	 * header, or if the value has control characters
	 */
	public Rejection withHeader(String name, String value) {
		Map<String, String> changed = new LinkedHashMap<>(this.headers);
		changed.keySet().removeIf(name::equalsIgnoreCase);
		changed.put(name, value);
		return new Rejection(this.decision, this.problem, this.retryAfterSeconds, changed, this.content);
	}

	/**
	 * Return this rejection with a text instead of the problem.
	 * @param contentType the type, such as {@code text/plain;charset=UTF-8}
	 * @param text the text; written in UTF-8
	 * @return the rejection
	 */
	public Rejection withBody(String contentType, String text) {
		return withBody(contentType, text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Return this rejection with content instead of the problem.
	 * @param contentType the type, such as {@code application/cbor}
	 * @param bytes the content; empty for none
	 * @return the rejection
	 */
	public Rejection withBody(String contentType, byte[] bytes) {
		return new Rejection(this.decision, this.problem, this.retryAfterSeconds, this.headers,
				Optional.of(new Content(contentType, bytes)));
	}

	private static String name(String name) {
		if (!isToken(name) || isOfContent(name)) {
			throw new IllegalArgumentException("'" + name + "' must not be a content header");
		}
		return name;
	}

	private static boolean isToken(String name) {
		for (int i = 0; i < name.length(); i++) {
			char character = name.charAt(i);
			boolean letter = character >= 'a' && character <= 'z';
			if (!letter && (character <= ' ' || character >= 127 || SEPARATORS.indexOf(character) >= 0)) {
				return false;
			}
		}
		return !name.isEmpty();
	}

	private static boolean isOfContent(String name) {
		for (String content : OF_CONTENT) {
			if (content.equalsIgnoreCase(name)) {
				return true;
			}
		}
		return false;
	}

	private static String value(String name, String value) {
		for (int i = 0; i < value.length(); i++) {
			char character = value.charAt(i);
			if ((character < ' ' && character != '\t') || character == 127) {
				throw new IllegalArgumentException("The value of '" + name + "' must not contain control characters");
			}
		}
		return value;
	}

	/**
	 * The body of the response.
	 *
	 * @param type the value of {@code Content-Type}
	 * @param bytes the content, which must not be modified
	 */
	public record Content(String type, byte[] bytes) {

		public Content {
			value("Content-Type", type);
		}

	}

}
