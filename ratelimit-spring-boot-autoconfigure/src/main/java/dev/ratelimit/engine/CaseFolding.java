package dev.ratelimit.engine;

/**
 * Internal: maps all texts that differ only in case to one text.
 */
public final class CaseFolding {

	private CaseFolding() {
	}

	/**
	 * Fold a text.
	 * @param text the text
	 * @return the same text for all texts that are equal by
	 * {@link String#equalsIgnoreCase(String)}
	 */
	public static String fold(String text) {
		return (isFolded(text)) ? text
				: text.codePoints()
					.map((character) -> Character.toLowerCase(Character.toUpperCase(character)))
					.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
					.toString();
	}

	// Fast path, because nearly all texts are folded.
	private static boolean isFolded(String text) {
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (character >= 128 || (character >= 'A' && character <= 'Z')) {
				return false;
			}
		}
		return true;
	}

}
