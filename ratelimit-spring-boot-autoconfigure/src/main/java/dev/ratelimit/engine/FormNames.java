package dev.ratelimit.engine;

import java.text.Normalizer;

/**
 * Internal: names in fields of forms, normalized like an application or its database may
 * compare them.
 */
public final class FormNames {

	private FormNames() {
	}

	/**
	 * Return a name without surrounding blanks, without invisible characters, and in one
	 * width and case. Accents distinguish names.
	 * @param name the name
	 * @return the same text for all names that may be those of one account
	 */
	public static String canonical(String name) {
		return CaseFolding.fold(trimmed(normalized(name)));
	}

	// Invisible characters are removed first, because they may separate a letter from its
	// accent.
	private static String normalized(String value) {
		if (isPlain(value)) {
			return value;
		}
		StringBuilder seen = new StringBuilder(value.length());
		value.codePoints().filter(FormNames::isSeen).forEach(seen::appendCodePoint);
		return Normalizer.normalize(seen, Normalizer.Form.NFKC);
	}

	// Fast path for nearly all names.
	private static boolean isPlain(String value) {
		for (int i = 0; i < value.length(); i++) {
			char character = value.charAt(i);
			if (character < ' ' || character > '~') {
				return false;
			}
		}
		return true;
	}

	private static boolean isSeen(int character) {
		int type = Character.getType(character);
		return type != Character.CONTROL && type != Character.FORMAT;
	}

	private static String trimmed(String value) {
		int begin = 0;
		int end = value.length();
		while (begin < end && isBlank(value.charAt(begin))) {
			begin++;
		}
		while (end > begin && isBlank(value.charAt(end - 1))) {
			end--;
		}
		return value.substring(begin, end);
	}

	private static boolean isBlank(char character) {
		return character <= ' ' || Character.isWhitespace(character);
	}

}
