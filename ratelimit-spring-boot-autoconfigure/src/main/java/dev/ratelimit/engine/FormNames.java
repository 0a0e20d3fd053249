package dev.ratelimit.engine;

import java.text.Normalizer;

/**
 * Internal: names in fields of forms, normalized like an application or its database may
 * compare them.
 */
public final class FormNames {

	/**
	 * The first and the last character of each range of invisible characters that are
	 * neither control nor format characters (the property Default_Ignorable_Code_Point of
	 * the Unicode Character Database). Collations ignore them.
	 */
	private static final int[][] IGNORABLE = { { 0x34F, 0x34F }, { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 },
			{ 0x180B, 0x180F }, { 0x2065, 0x2065 }, { 0x3164, 0x3164 }, { 0xFE00, 0xFE0F }, { 0xFFA0, 0xFFA0 },
			{ 0xFFF0, 0xFFF8 }, { 0xE0000, 0xE0FFF } };

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
		if (type == Character.CONTROL || type == Character.FORMAT) {
			return false;
		}
		for (int[] range : IGNORABLE) {
			if (character >= range[0] && character <= range[1]) {
				return false;
			}
		}
		return true;
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
