package dev.ratelimit.rule;

import java.util.stream.Stream;

/**
 * Internal: prepares untrusted texts for messages.
 */
public final class ShownText {

	/** The maximum length of a user's note. */
	public static final int MAX_NOTE_CHARACTERS = 200;

	private static final int MAX_CHARACTERS = 64;

	private ShownText() {
	}

	/**
	 * Prepare an untrusted text for messages.
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
	 * Return the message that a rule does not exist.
	 * @param id its id
	 * @return the message
	 */
	public static String unknownRule(String id) {
		return "there is no rule '" + of(id) + "'";
	}

	/**
	 * Whether a text can be shown unchanged.
	 * @param text the text
	 * @return whether it has no control characters and no line breaks
	 */
	public static boolean isPlain(String text) {
		return text.chars().noneMatch(ShownText::isControl);
	}

	/**
	 * Require that a user's note can be stored, logged, and audited unchanged.
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

	// Includes Unicode line separators, and format characters that change the direction
	// of text.
	private static boolean isControl(int character) {
		return Character.isISOControl(character) || character == 0x2028 || character == 0x2029
				|| Character.getType(character) == Character.FORMAT;
	}

}
