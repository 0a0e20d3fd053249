package dev.ratelimit.live;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.RuleLine;
import dev.ratelimit.rule.ShownText;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * The form of the entries of documents of all sources: they are bounded, and consist of
 * maps, lists, and texts.
 */
final class RuleTree {

	/** The maximum number of entries. */
	static final int MAX_RULES = 2000;

	/**
	 * The maximum length of a document, and the maximum total length of its keys and
	 * texts.
	 */
	static final int MAX_CHARACTERS = 1 << 20;

	/** The maximum depth, which exceeds that of all properties of a rule. */
	static final int MAX_DEPTH = 8;

	private RuleTree() {
	}

	/**
	 * Check the entries of a document.
	 * @param rules the entries by rule id
	 * @throws IllegalArgumentException if the document is invalid; the message is a
	 * sentence without a period
	 */
	static void check(Map<String, Object> rules) {
		require(rules.size() <= MAX_RULES, "a document must have at most " + MAX_RULES + " rules");
		rules.forEach((id, entry) -> require(entry instanceof Map || entry instanceof String,
				"rules." + ShownText.of(id) + " must be a map or a line"));
		if (characters(rules, "rules", 0) > MAX_CHARACTERS) {
			throw tooLong();
		}
	}

	/**
	 * Return the entries, with lines converted to properties.
	 * @param rules the entries by rule id
	 * @return maps of properties by rule id
	 * @throws IllegalArgumentException if a line is not a rule
	 */
	static Map<String, Object> expanded(Map<String, Object> rules) {
		if (rules.values().stream().allMatch(Map.class::isInstance)) {
			return rules;
		}
		Map<String, Object> expanded = new LinkedHashMap<>();
		rules.forEach((id, entry) -> expanded.put(id, (entry instanceof String line) ? ofLine(id, line) : entry));
		return expanded;
	}

	private static Map<String, Object> ofLine(String id, String line) {
		try {
			return RuleLine.parse(line).properties();
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("rules." + ShownText.of(id) + ": " + ex.getMessage(), ex);
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
		// A document without rules is valid; any other empty value would have no effect.
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
		require(ShownText.isPlain(text), location + " has a control character");
		require(StreamReader.isPrintable(text), location + " has a character that YAML cannot have");
		return text.length();
	}

	private static void require(boolean condition, String reason) {
		if (!condition) {
			throw new IllegalArgumentException(reason);
		}
	}

}
