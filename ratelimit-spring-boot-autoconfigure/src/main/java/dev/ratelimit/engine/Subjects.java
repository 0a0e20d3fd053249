package dev.ratelimit.engine;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Internal: the canonical text of subjects. What a caller supplies is bounded, and cannot
 * pass for another part, another subject or the end of a hash tag: characters with a
 * meaning are percent-encoded, and long values are replaced by their hash.
 */
public final class Subjects {

	/** The subject of keys that are the same for everybody. */
	public static final String GLOBAL = "global";

	/** The longest value that is kept as it is, in characters. */
	static final int MAX_LENGTH = 128;

	private static final String SEPARATOR = "|";

	/** In a value, {@code ~} is escaped, so that these words are nobody's name. */
	private static final String NONE = "~none";

	private static final String HASHED = "~sha256:";

	private static final boolean[] OF_PARTS = escaped("%{}|~");

	private static final boolean[] OF_TEXTS = escaped("{}");

	private Subjects() {
	}

	/**
	 * The part of a key that was found.
	 * @param kind the kind of key, such as {@code user}
	 * @param value the value, possibly hostile
	 * @return such as {@code user:alice}
	 */
	public static String part(String kind, String value) {
		return kind + ":" + ((value.length() > MAX_LENGTH) ? HASHED + hash(value) : escape(value, OF_PARTS));
	}

	/**
	 * The part of a key that the request lacks.
	 * @param kind the kind of key
	 * @return a part that no value can produce
	 */
	public static String missing(String kind) {
		return kind + ":" + NONE;
	}

	/**
	 * Several parts as one subject.
	 * @param parts the parts, in the key's order
	 * @return the subject
	 */
	public static String join(List<String> parts) {
		if (parts.size() == 1) {
			return parts.get(0);
		}
		String joined = String.join(SEPARATOR, parts);
		return (isLong(joined))
				? bounded(parts.stream().map(Subjects::shortened).collect(Collectors.joining(SEPARATOR))) : joined;
	}

	// Short parts stay, so that long ones beside them hide nobody from an override.
	private static String shortened(String part) {
		int colon = part.indexOf(':');
		return (part.length() <= MAX_LENGTH || colon < 0) ? part
				: part.substring(0, colon + 1) + HASHED + hash(part.substring(colon + 1));
	}

	/**
	 * The subject that code names. Text that is canonical already stays as it is.
	 * @param text such as {@code user:42}
	 * @return the canonical text
	 */
	public static String of(String text) {
		return bounded(escape(text, OF_TEXTS));
	}

	private static String bounded(String canonical) {
		return (isLong(canonical)) ? HASHED + hash(canonical) : canonical;
	}

	private static boolean isLong(String canonical) {
		return canonical.length() > 4 * MAX_LENGTH;
	}

	// Most texts need no escape, and each request brings some.
	private static boolean[] escaped(String special) {
		boolean[] escaped = new boolean[128];
		for (char character = 0; character < escaped.length; character++) {
			escaped[character] = character <= ' ' || character == 127 || special.indexOf(character) >= 0;
		}
		return escaped;
	}

	private static String escape(String value, boolean[] special) {
		for (int i = 0; i < value.length(); i++) {
			if (mustEscape(value.charAt(i), special)) {
				return escapeAll(value, special);
			}
		}
		return value;
	}

	private static String escapeAll(String value, boolean[] special) {
		StringBuilder escaped = new StringBuilder(value.length() + 8);
		for (int i = 0; i < value.length(); i++) {
			char character = value.charAt(i);
			if (mustEscape(character, special)) {
				escaped.append('%').append(Character.forDigit((character >> 4) & 15, 16));
				escaped.append(Character.forDigit(character & 15, 16));
			}
			else {
				escaped.append(character);
			}
		}
		return escaped.toString();
	}

	private static boolean mustEscape(char character, boolean[] special) {
		return character < special.length && special[character];
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
