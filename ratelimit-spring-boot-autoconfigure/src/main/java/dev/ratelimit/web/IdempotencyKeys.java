package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.engine.RetryKey;

/**
 * Internal: reads the {@code Idempotency-Key} of a request. An invalid key is ignored, so
 * that the request is charged.
 *
 * @see <a href=
 * "https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">The
 * Idempotency-Key HTTP header field</a>
 */
public final class IdempotencyKeys {

	private static final String HEADER = "Idempotency-Key";

	private static final int MAX_CHARACTERS = 255;

	/** The headers that distinguish a retry from another request with the same key. */
	private static final List<String> FINGERPRINT = List.of("Content-Length", "Content-Type", "Content-Digest");

	private final Set<String> methods;

	private final boolean strict;

	/**
	 * Create a reader of keys.
	 * @param methods the methods whose keys are used, upper case
	 * @param strict whether a key must be a quoted string, as the draft requires
	 */
	public IdempotencyKeys(Set<String> methods, boolean strict) {
		this.methods = Set.copyOf(methods);
		this.strict = strict;
	}

	Optional<RetryKey> read(GateRequest request) {
		if (!this.methods.contains(request.method())) {
			return Optional.empty();
		}
		List<String> values = request.headers(HEADER);
		return (values.size() != 1) ? Optional.empty()
				: value(values.get(0).trim()).map((key) -> new RetryKey(key, operation(request)));
	}

	/**
	 * Read a key that is not from a header.
	 * @param text the key, which is untrusted
	 * @param operation the identification of the operation
	 * @return the key; empty if it is invalid
	 */
	public Optional<RetryKey> of(String text, String operation) {
		return value(text.trim()).map((key) -> new RetryKey(key, operation));
	}

	private Optional<String> value(String text) {
		if (text.isEmpty() || text.length() > MAX_CHARACTERS) {
			return Optional.empty();
		}
		if (text.charAt(0) == '"') {
			return unquote(text);
		}
		boolean usable = !this.strict && text.chars().allMatch((character) -> character > ' ' && character < 127);
		return (usable) ? Optional.of(text) : Optional.empty();
	}

	private static Optional<String> unquote(String text) {
		StringBuilder value = new StringBuilder(text.length());
		int last = text.length() - 1;
		for (int i = 1; i < last; i++) {
			char character = text.charAt(i);
			if (character == '\\') {
				character = (++i < last) ? text.charAt(i) : 0;
				if (character != '"' && character != '\\') {
					return Optional.empty();
				}
			}
			else if (character == '"' || character < ' ' || character > 126) {
				return Optional.empty();
			}
			value.append(character);
		}
		boolean closed = last > 1 && text.charAt(last) == '"';
		return (closed) ? Optional.of(value.toString()) : Optional.empty();
	}

	private static String operation(GateRequest request) {
		StringBuilder operation = new StringBuilder(request.method()).append(' ').append(request.path());
		operation.append('?').append(request.query());
		for (String header : FINGERPRINT) {
			operation.append('\n').append(header).append(": ").append(String.join("\n", request.headers(header)));
		}
		return operation.toString();
	}

}
