package dev.ratelimit.live;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Internal: what the entries of any document must be, whatever source they come from:
 * bounded, and made of maps, lists, and texts.
 */
public final class RuleTree {

	/** The greatest number of entries. */
	public static final int MAX_RULES = 2000;

	/** The greatest length of all keys and texts together. */
	public static final int MAX_CHARACTERS = 1 << 20;

	/** Deeper than any property of a rule. */
	static final int MAX_DEPTH = 8;

	private RuleTree() {
	}

	/**
	 * Check the entries of a document.
	 * @param rules the entries by rule id
	 * @throws IllegalArgumentException if the document cannot be used; the message is a
	 * sentence without a full stop
	 */
	public static void check(Map<String, Object> rules) {
		require(rules.size() <= MAX_RULES, "a document must have at most " + MAX_RULES + " rules");
		rules.forEach((id, entry) -> require(entry instanceof Map, "rules." + shown(id) + " must be a map"));
		if (characters(rules, "rules", 0) > MAX_CHARACTERS) {
			throw tooLong();
		}
	}

	static IllegalArgumentException tooLong() {
		return new IllegalArgumentException("a document must have at most " + MAX_CHARACTERS + " characters");
	}

	private static long characters(Object value, String location, int depth) {
		require(depth <= MAX_DEPTH, location + " is nested too deeply");
		if (value instanceof Map<?, ?> map) {
			return ofMap(map, location, depth);
		}
		if (value instanceof List<?> list) {
			return elements(list, location, depth);
		}
		require(value instanceof String, location + " must be a text, a list, or a map");
		return ofText((String) value, location);
	}

	private static long ofMap(Map<?, ?> map, String location, int depth) {
		// A document without rules is one; anything else that is empty would have no
		// effect.
		require(depth == 0 || !map.isEmpty(), location + " is empty, and live rules cannot unset properties");
		long sum = 0;
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			String key = String.valueOf(entry.getKey());
			sum += ofText(key, location);
			require(key.indexOf('[') < 0 && key.indexOf(']') < 0, location + " has a name with a bracket");
			sum += characters(entry.getValue(), location + "." + key, depth + 1);
		}
		return sum;
	}

	private static long elements(Collection<?> list, String location, int depth) {
		require(!list.isEmpty(), location + " is empty, and live rules cannot unset properties");
		return list.stream().mapToLong((element) -> characters(element, location, depth + 1)).sum();
	}

	private static int ofText(String text, String location) {
		require(!text.isBlank(), location + " is empty, and live rules cannot unset properties");
		require(isPlain(text), location + " has a control character");
		return text.length();
	}

	/**
	 * Whether a text can be shown as it is.
	 * @param text the text
	 * @return whether it has no control characters and no line breaks
	 */
	static boolean isPlain(String text) {
		return text.chars().noneMatch(RuleTree::isControl);
	}

	/**
	 * A text from outside, for messages.
	 * @param text the text
	 * @return at most 64 of its characters, none of them a control character
	 */
	static String shown(String text) {
		String start = text.substring(0, Math.min(text.length(), 64));
		return Stream.of(start)
			.flatMapToInt(String::chars)
			.map((character) -> (isControl(character)) ? '?' : character)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	// Line separators of Unicode, and what changes the direction of writing, too.
	private static boolean isControl(int character) {
		return Character.isISOControl(character) || character == 0x2028 || character == 0x2029
				|| Character.getType(character) == Character.FORMAT;
	}

	private static void require(boolean condition, String reason) {
		if (!condition) {
			throw new IllegalArgumentException(reason);
		}
	}

}
