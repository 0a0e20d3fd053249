package dev.ratelimit.engine;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

import dev.ratelimit.Subject;
import dev.ratelimit.rule.KeyPart;

/**
 * Internal: the canonical text of subjects. Values that clients supply are bounded, and
 * cannot imitate another part, another subject, or the end of a hash tag: characters with
 * a meaning are percent-encoded, and long values are replaced by their hash.
 */
public final class Subjects {

	/** The subject of keys that are the same for all clients. */
	public static final String GLOBAL = Subject.GLOBAL;

	/** The longest value that is kept as it is, in characters. */
	static final int MAX_LENGTH = 128;

	/**
	 * The longest part that is kept as it is if the subject would become too long: more
	 * than the hash of a value takes, and eight such parts make no long subject.
	 */
	private static final int SHORT_PART = 60;

	private static final String SEPARATOR = "|";

	/** In a value, {@code ~} is escaped, so these words cannot be a client's name. */
	private static final String NONE = "~none";

	private static final String HASHED = "~sha256:";

	private Subjects() {
	}

	/**
	 * The part of a key that was found.
	 * @param kind the kind of key, such as {@code user}
	 * @param value the value, possibly hostile
	 * @return such as {@code user:alice}
	 */
	public static String part(String kind, String value) {
		return Subject.of(kind, value);
	}

	/**
	 * The part of a key that was found. A handler may read a variable of the path or a
	 * parameter as a number or a UUID, so all spellings of one are the same part.
	 * @param kind the kind of key
	 * @param value the value, possibly hostile
	 * @return such as {@code user:alice}, or {@code path:7} of {@code 007}
	 */
	public static String part(KeyPart.Kind kind, String value) {
		boolean converted = kind == KeyPart.Kind.PATH || kind == KeyPart.Kind.PARAM;
		return part(kind.word(), (converted) ? Spelling.canonical(value) : value);
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

	/**
	 * A part as it is in a subject that would become too long. Short parts stay, and the
	 * kinds of all parts, so that long values beside them hide no override and no user.
	 * @param part a part of a subject
	 * @return the part, or one with the hash of its value
	 */
	static String shortened(String part) {
		int colon = part.indexOf(':');
		return (part.length() <= SHORT_PART || colon < 0 || part.startsWith(HASHED, colon + 1)) ? part
				: part.substring(0, colon + 1) + HASHED + hash(part.substring(colon + 1));
	}

	/**
	 * The subject that code names. Text that is canonical already stays as it is.
	 * @param text such as {@code user:42}
	 * @return the canonical text
	 */
	public static String of(String text) {
		return bounded(escape(text));
	}

	private static String bounded(String canonical) {
		return (isLong(canonical)) ? HASHED + hash(canonical) : canonical;
	}

	private static boolean isLong(String canonical) {
		return canonical.length() > 4 * MAX_LENGTH;
	}

	// The text may be a whole subject: what separates its parts stays.
	private static String escape(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (mustEscape(text.charAt(i))) {
				return escapeFrom(text, i);
			}
		}
		return text;
	}

	private static String escapeFrom(String text, int first) {
		StringBuilder escaped = new StringBuilder(text.length() + 8).append(text, 0, first);
		for (int i = first; i < text.length(); i++) {
			char character = text.charAt(i);
			if (mustEscape(character)) {
				escaped.append('%').append(Character.forDigit(character >> 4, 16));
				escaped.append(Character.forDigit(character & 15, 16));
			}
			else {
				escaped.append(character);
			}
		}
		return escaped.toString();
	}

	private static boolean mustEscape(char character) {
		return character <= ' ' || character == 127 || character == '{' || character == '}';
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
