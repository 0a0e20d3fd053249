package dev.ratelimit;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How a request is refused. Immutable, but for the bytes of its content, which nobody
 * changes. Without content, the problem is written: as JSON, or as a page for browsers.
 *
 * @param decision the decision that refuses
 * @param problem what the client is told; its status is that of the response
 * @param retryAfterSeconds the wait after which the request fits, at least 1; empty where
 * no wait helps
 * @param headers the header fields of the response, by name, without those of the content
 * @param content what is written in place of the problem
 * @since 0.1.0
 */
public record Rejection(Decision decision, Problem problem, OptionalLong retryAfterSeconds, Map<String, String> headers,
		Optional<Content> content) {

	private static final Set<String> OF_CONTENT = Set.of("content-type", "content-length", "transfer-encoding");

	public Rejection {
		Map<String, String> checked = new LinkedHashMap<>();
		headers.forEach((name, value) -> checked.put(name(name), value(name, value)));
		headers = Collections.unmodifiableMap(checked);
	}

	/**
	 * This refusal with another status.
	 * @param status the status, from 400 to 599
	 * @return the refusal
	 */
	public Rejection withStatus(int status) {
		return with(this.problem.withStatus(status));
	}

	/**
	 * This refusal with another problem.
	 * @param other the problem
	 * @return the refusal
	 */
	public Rejection with(Problem other) {
		return new Rejection(this.decision, other, this.retryAfterSeconds, this.headers, this.content);
	}

	/**
	 * This refusal with one more header field, in place of one with the same name.
	 * @param name the name, but not {@code Content-Type} or {@code Content-Length}, which
	 * follow from the content
	 * @param value the value, without line breaks
	 * @return the refusal
	 */
	public Rejection withHeader(String name, String value) {
		Map<String, String> changed = new LinkedHashMap<>(this.headers);
		changed.keySet().removeIf(name::equalsIgnoreCase);
		changed.put(name, value);
		return new Rejection(this.decision, this.problem, this.retryAfterSeconds, changed, this.content);
	}

	/**
	 * This refusal with a text in place of the problem.
	 * @param contentType the type, such as {@code text/plain;charset=UTF-8}
	 * @param text the text; written in UTF-8
	 * @return the refusal
	 */
	public Rejection withBody(String contentType, String text) {
		return withBody(contentType, text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * This refusal with content in place of the problem.
	 * @param contentType the type, such as {@code application/cbor}
	 * @param bytes the content; empty for none
	 * @return the refusal
	 */
	public Rejection withBody(String contentType, byte[] bytes) {
		return new Rejection(this.decision, this.problem, this.retryAfterSeconds, this.headers,
				Optional.of(new Content(contentType, bytes)));
	}

	private static String name(String name) {
		boolean token = !name.isEmpty() && name.chars()
			.allMatch(
					(character) -> character > ' ' && character < 127 && "()<>@,;:\\\"/[]?={}".indexOf(character) < 0);
		if (!token || OF_CONTENT.contains(name.toLowerCase(Locale.ROOT))) {
			throw new IllegalArgumentException("'" + name + "' must not be a content header");
		}
		return name;
	}

	private static String value(String name, String value) {
		if (value.chars().anyMatch((character) -> (character < ' ' && character != '\t') || character == 127)) {
			throw new IllegalArgumentException("The value of '" + name + "' must not contain control characters");
		}
		return value;
	}

	/**
	 * What is written.
	 *
	 * @param type the value of {@code Content-Type}
	 * @param bytes the content, which nobody changes
	 */
	public record Content(String type, byte[] bytes) {

		public Content {
			value("Content-Type", type);
		}

	}

}
