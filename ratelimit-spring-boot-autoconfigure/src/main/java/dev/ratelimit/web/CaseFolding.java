package dev.ratelimit.web;

/**
 * Makes one text of all that are equal but for their case.
 */
final class CaseFolding {

	private CaseFolding() {
	}

	/**
	 * Fold a text.
	 * @param text the text
	 * @return a text that is the same for all texts that
	 * {@link String#equalsIgnoreCase(String)} takes for equal
	 */
	static String fold(String text) {
		return (isFolded(text)) ? text
				: text.codePoints()
					.map((character) -> Character.toLowerCase(Character.toUpperCase(character)))
					.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
					.toString();
	}

	// Nearly all texts are, so this is all that they cost.
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
