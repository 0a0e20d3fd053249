package dev.ratelimit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The subjects that code passes to {@link RateLimiter}, such as {@code user:alice}.
 * Characters with a meaning are percent-encoded in the values, as in the subjects of
 * requests: a user with the name {@code a|user:b} is not read as two subjects.
 *
 * @since 0.1.0
 */
public final class Subject {

	/** The subject of the key {@code global}. */
	public static final String GLOBAL = "global";

	/** The maximum length of a value that is kept as it is, in characters. */
	private static final int MAX_LENGTH = 128;

	private static final String RESERVED_CHARACTERS = "%{}|~";

	private static final boolean[] ESCAPED = escaped();

	private Subject() {
	}

	/**
	 * Return the subject of a user, for the keys {@code user} and {@code caller}.
	 * @param name the user's name
	 * @return the subject, such as {@code user:alice}
	 */
	public static String user(String name) {
		return of("user", name);
	}

	/**
	 * Return the subject of a value.
	 * @param kind the kind of key, such as {@code header}, {@code path}, or {@code claim}
	 * @param value the value, which may come from a client
	 * @return the subject, such as {@code header:abc}; a value of more than 128
	 * characters is replaced by its hash
	 */
	public static String of(String kind, String value) {
		return kind + ":" + ((value.length() > MAX_LENGTH) ? "~sha256:" + hash(value) : escape(value));
	}

	/**
	 * Return the subject of a key with several parts.
	 * @param parts the subjects of the parts, in the order of the key
	 * @return the subject, such as {@code user:alice|path:42}
	 */
	public static String join(String... parts) {
		return String.join("|", parts);
	}

	// Most values contain no reserved character, so a lookup in a table avoids
	// allocations.
	private static boolean[] escaped() {
		boolean[] escaped = new boolean[128];
		for (char character = 0; character < escaped.length; character++) {
			escaped[character] = character <= ' ' || character == 127 || RESERVED_CHARACTERS.indexOf(character) >= 0;
		}
		return escaped;
	}

	private static String escape(String value) {
		for (int i = 0; i < value.length(); i++) {
			if (mustEscape(value.charAt(i))) {
				return escapeAll(value);
			}
		}
		return value;
	}

	private static String escapeAll(String value) {
		StringBuilder escaped = new StringBuilder(value.length() + 8);
		for (int i = 0; i < value.length(); i++) {
			char character = value.charAt(i);
			if (mustEscape(character)) {
				escaped.append('%').append(Character.forDigit((character >> 4) & 15, 16));
				escaped.append(Character.forDigit(character & 15, 16));
			}
			else {
				escaped.append(character);
			}
		}
		return escaped.toString();
	}

	private static boolean mustEscape(char character) {
		return character < ESCAPED.length && ESCAPED[character];
	}

	private static String hash(String value) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
			return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

}
