package dev.ratelimit.engine;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.Subject;
import dev.ratelimit.rule.KeyPart;

import org.springframework.util.StringUtils;

/**
 * Internal: the canonical text of subjects. Values of clients are bounded and cannot
 * imitate another part, another subject, or the end of a hash tag: reserved characters
 * are percent-encoded, and long values are replaced by their hash.
 */
public final class Subjects {

	/** The subject of keys that are the same for all clients. */
	public static final String GLOBAL = Subject.GLOBAL;

	/** The maximum length of a value that is kept unchanged, in characters. */
	static final int MAX_LENGTH = 128;

	/**
	 * The maximum length of a part that is kept unchanged in a long subject. It is longer
	 * than the hash of a value, and eight such parts fit a subject.
	 */
	private static final int SHORT_PART = 60;

	/** The kinds of keys whose values a handler may convert. */
	private static final Set<KeyPart.Kind> CONVERTED = EnumSet.of(KeyPart.Kind.PATH, KeyPart.Kind.PARAM);

	private static final String SEPARATOR = "|";

	/** In a value, {@code ~} is escaped, so a client cannot have these names. */
	private static final String NONE = "~none";

	private static final String HASHED = "~sha256:";

	/**
	 * No client can have such a text as a name, because {@code ~} is escaped in values.
	 */
	private static final Pattern CONCEALED = Pattern.compile("(?:^|\\|)(?:[^|:]+:)?~#[0-9a-f]{16}(?:\\||$)");

	private Subjects() {
	}

	/**
	 * Return the part of a key for a value.
	 * @param kind the kind of key, such as {@code user}
	 * @param value the value, which is untrusted
	 * @return the part, such as {@code user:alice}
	 */
	public static String part(String kind, String value) {
		return Subject.of(kind, value);
	}

	/**
	 * Return the part of a key for a value. A handler may convert a path variable or a
	 * parameter to a number or a UUID, so all spellings of the same value result in the
	 * same part.
	 * @param kind the kind of key
	 * @param value the value, which is untrusted
	 * @return the part, such as {@code user:alice}, or {@code path:7} of {@code 007}
	 */
	public static String part(KeyPart.Kind kind, String value) {
		return part(kind.word(), (CONVERTED.contains(kind)) ? Spelling.canonical(value) : value);
	}

	/**
	 * Return the part of a key that is missing in the request.
	 * @param kind the kind of key
	 * @return a part that no value can produce
	 */
	public static String missing(String kind) {
		return kind + ":" + NONE;
	}

	/**
	 * Return the text that is shown instead of a part of a key that must not be revealed.
	 * @param part the part, such as {@code user:alice}
	 * @param hash the hash of the part, 64 bits in hexadecimal digits
	 * @return the text, such as {@code user:~#9f3ac2d17b604e55}
	 */
	public static String concealed(String part, String hash) {
		return part.substring(0, part.indexOf(':') + 1) + "~#" + hash;
	}

	/**
	 * Return whether a text was shown instead of a subject that must not be revealed.
	 * Such a text identifies no bucket.
	 * @param subject the text
	 * @return whether it contains a {@linkplain #concealed concealed} part
	 */
	public static boolean isConcealed(String subject) {
		return CONCEALED.matcher(subject).find();
	}

	/**
	 * Join several parts to one subject.
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
	 * Return the form of a part in a subject that would be too long. Short parts and the
	 * kinds of all parts are kept, so that overrides and users are found even if other
	 * parts are long.
	 * @param part a part of a subject
	 * @return the part, or one with the hash of its value
	 */
	static String shortened(String part) {
		int colon = part.indexOf(':');
		return (part.length() <= SHORT_PART || colon < 0 || part.startsWith(HASHED, colon + 1)) ? part
				: part.substring(0, colon + 1) + HASHED + hash(part.substring(colon + 1));
	}

	/**
	 * Return the canonical form of a subject that code references. Canonical texts are
	 * returned unchanged.
	 * @param text such as {@code user:42}
	 * @return the canonical text
	 */
	public static String of(String text) {
		String canonical = spelled(escape(text));
		return (isLong(canonical)) ? bounded(join(List.of(canonical.split("\\|", -1)))) : canonical;
	}

	// Path variables and parameters are named as in requests, in any spelling.
	private static String spelled(String text) {
		return (text.startsWith("pa") || text.contains("|pa"))
				? Stream.of(text.split("\\|", -1)).map(Subjects::spelledPart).collect(Collectors.joining(SEPARATOR))
				: text;
	}

	private static String spelledPart(String part) {
		for (KeyPart.Kind kind : CONVERTED) {
			String prefix = kind.word() + ":";
			if (part.startsWith(prefix) && !part.startsWith("~", prefix.length())) {
				return unescape(part.substring(prefix.length())).map((value) -> part(kind, value)).orElse(part);
			}
		}
		return part;
	}

	// Empty if the text is not an escaped value.
	private static Optional<String> unescape(String escaped) {
		StringBuilder value = new StringBuilder(escaped.length());
		for (int i = 0; i < escaped.length(); i++) {
			char character = escaped.charAt(i);
			if (character == '%') {
				int high = (i + 2 <= escaped.length() - 1) ? Character.digit(escaped.charAt(i + 1), 16) : -1;
				int low = (high >= 0) ? Character.digit(escaped.charAt(i + 2), 16) : -1;
				if (low < 0 || high > 7) {
					return Optional.empty();
				}
				character = (char) (high << 4 | low);
				i += 2;
			}
			value.append(character);
		}
		return Optional.of(value.toString());
	}

	private static String bounded(String canonical) {
		return (isLong(canonical)) ? HASHED + hash(canonical) : canonical;
	}

	private static boolean isLong(String canonical) {
		return canonical.length() > 4 * MAX_LENGTH;
	}

	// The text may be a whole subject, so separators are kept.
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

	/**
	 * Maps all texts that Spring converts to the same value to one text. The conversion
	 * ignores white space, a plus sign, and leading zeros. It accepts digits of all
	 * scripts, and hexadecimal numbers. In the groups of a UUID, it ignores the case,
	 * missing leading digits, and excess leading digits.
	 */
	private static final class Spelling {

		private static final Pattern DECIMAL = Pattern.compile("[+-]?\\p{Nd}+");

		private static final int UUID_LENGTH = 36;

		private static final int UUID_DASHES = 4;

		/** The maximum number of hexadecimal digits of 64 bits. */
		private static final int MAX_DIGITS = 16;

		private Spelling() {
		}

		/**
		 * Return the canonical text.
		 * @param text the text, which is untrusted
		 * @return the integer in decimal digits, or in hexadecimal ones if it is
		 * hexadecimal and longer than 64 bits; the UUID in lower case; any other text
		 * without white space around it
		 */
		static String canonical(String text) {
			return (isCommon(text)) ? text : uncommon(text.strip());
		}

		// Fast path for names, UUIDs, and numbers without leading zeros, which are nearly
		// all values.
		private static boolean isCommon(String text) {
			int length = text.length();
			if (length == 0 || text.charAt(0) <= ' ' || text.charAt(length - 1) <= ' ') {
				return length == 0;
			}
			boolean digits = true;
			boolean punctuation = false;
			int dashes = 0;
			for (int i = 0; i < length; i++) {
				char character = text.charAt(i);
				if (character >= 128) {
					return false;
				}
				dashes += (character == '-') ? 1 : 0;
				punctuation |= character > ' ' && !Character.isLetterOrDigit(character);
				digits &= character >= '0' && character <= '9';
			}
			char first = text.charAt(0);
			if (digits) {
				return first != '0' || length == 1;
			}
			if (dashes == UUID_DASHES) {
				return isUuid(text);
			}
			// Numbers have no punctuation after their first digit.
			return isAsciiLetter(first) || (punctuation && first >= '0' && first <= '9');
		}

		private static boolean isAsciiLetter(char character) {
			return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
		}

		// The form of UUID.toString().
		private static boolean isUuid(String text) {
			if (text.length() != UUID_LENGTH) {
				return false;
			}
			for (int i = 0; i < UUID_LENGTH; i++) {
				char character = text.charAt(i);
				boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
				boolean digit = (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
				if ((dash) ? character != '-' : !digit) {
					return false;
				}
			}
			return true;
		}

		private static String uncommon(String text) {
			String bare = StringUtils.trimAllWhitespace(text);
			if (DECIMAL.matcher(bare).matches()) {
				return decimal(bare);
			}
			int begin = hexadecimalBegin(bare);
			if (begin > 0 && areDigits(bare, begin)) {
				return hexadecimal(bare.charAt(0) == '-', bare.substring(begin));
			}
			return (mayBeUuid(text)) ? uuid(text) : text;
		}

		private static int hexadecimalBegin(String text) {
			int sign = (text.startsWith("-")) ? 1 : 0;
			if (text.startsWith("#", sign)) {
				return sign + 1;
			}
			return (text.startsWith("0x", sign) || text.startsWith("0X", sign)) ? sign + 2 : 0;
		}

		private static boolean areDigits(String text, int begin) {
			return begin < text.length()
					&& text.chars().skip(begin).allMatch((character) -> Character.digit(character, 16) >= 0);
		}

		private static boolean mayBeUuid(String text) {
			return text.length() <= UUID_LENGTH
					&& text.chars().filter((character) -> character == '-').count() == UUID_DASHES
					&& text.chars()
						.allMatch((character) -> character == '-' || character == '+'
								|| Character.digit(character, 16) >= 0);
		}

		private static String uuid(String text) {
			try {
				return UUID.fromString(text).toString();
			}
			catch (IllegalArgumentException ex) {
				return text;
			}
		}

		private static String decimal(String number) {
			StringBuilder digits = new StringBuilder(number.length());
			number.codePoints()
				.filter(Character::isDigit)
				.map((digit) -> Character.digit(digit, 10))
				.filter((digit) -> digit != 0 || !digits.isEmpty())
				.forEach(digits::append);
			if (digits.isEmpty()) {
				return "0";
			}
			return (number.charAt(0) == '-') ? digits.insert(0, '-').toString() : digits.toString();
		}

		private static String hexadecimal(boolean negative, String digits) {
			StringBuilder ascii = new StringBuilder(digits.length());
			digits.chars()
				.map((character) -> Character.digit(character, 16))
				.filter((digit) -> digit != 0 || !ascii.isEmpty())
				.forEach((digit) -> ascii.append(Character.forDigit(digit, 16)));
			if (ascii.isEmpty()) {
				return "0";
			}
			String sign = (negative) ? "-" : "";
			return sign + ((ascii.length() <= MAX_DIGITS) ? new BigInteger(ascii.toString(), 16) : "0x" + ascii);
		}

	}

}
