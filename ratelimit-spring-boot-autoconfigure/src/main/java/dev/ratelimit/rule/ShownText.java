package dev.ratelimit.rule;

import java.util.stream.Stream;

/**
 * Internal: texts from outside, as messages show them.
 */
public final class ShownText {

	/** The longest note of a user. */
	public static final int MAX_NOTE_CHARACTERS = 200;

	private static final int MAX_CHARACTERS = 64;

	private ShownText() {
	}

	/**
	 * A text from outside, for messages.
	 * @param text the text
	 * @return at most 64 of its characters, none of them a control character
	 */
	public static String of(String text) {
		String start = text.substring(0, Math.min(text.length(), MAX_CHARACTERS));
		return Stream.of(start)
			.flatMapToInt(String::chars)
			.map((character) -> (isControl(character)) ? '?' : character)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	/**
	 * That a rule does not exist.
	 * @param id its id
	 * @return what messages say
	 */
	public static String unknownRule(String id) {
		return "there is no rule '" + of(id) + "'";
	}

	/**
	 * Whether a text can be shown as it is.
	 * @param text the text
	 * @return whether it has no control characters and no line breaks
	 */
	public static boolean isPlain(String text) {
		return text.chars().noneMatch(ShownText::isControl);
	}

	/**
	 * A note of a user that can be stored, logged, and audited as it is.
	 * @param note the note
	 * @return the note
	 * @throws IllegalArgumentException if it is too long or has control characters
	 */
	public static String requireNote(String note) {
		if (note.length() > MAX_NOTE_CHARACTERS || !isPlain(note)) {
			throw new IllegalArgumentException(
					"'note' must have at most " + MAX_NOTE_CHARACTERS + " characters, none of them control characters");
		}
		return note;
	}

	// Line separators of Unicode, and what changes the direction of writing, too.
	private static boolean isControl(int character) {
		return Character.isISOControl(character) || character == 0x2028 || character == 0x2029
				|| Character.getType(character) == Character.FORMAT;
	}

}
