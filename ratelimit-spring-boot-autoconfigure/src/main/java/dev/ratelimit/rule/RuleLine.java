package dev.ratelimit.rule;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Internal: a rule written as one line, such as {@code POST /api/login 5/min per ip}: the
 * HTTP methods, the path patterns, the limit, and the key after {@code per}. Only the
 * limit is required. Several methods, paths, or parts of a key are separated by commas.
 * Immutable.
 *
 * @param methods the HTTP methods
 * @param paths the path patterns
 * @param limit the limit, as {@link LimitDefinition#of} reads it
 * @param key the parts of the key
 */
public record RuleLine(List<String> methods, List<String> paths, String limit, List<String> key) {

	/** The maximum length, because matching longer texts could take long. */
	private static final int MAX_CHARACTERS = 1000;

	private static final Pattern METHODS = Pattern.compile("[A-Z][A-Z-]*(,[A-Z][A-Z-]*)*");

	private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

	private static final Pattern BLANKS = Pattern.compile("\\s+");

	private static final String PER = "per";

	private static final String EXAMPLE = "; write a line such as 'POST /api/login 5/min per ip', or a map of properties";

	/**
	 * Read a line.
	 * @param text the line
	 * @return its parts
	 * @throws IllegalArgumentException if it is not a rule; the message is a sentence
	 * without a period
	 */
	public static RuleLine parse(String text) {
		require(text.length() <= MAX_CHARACTERS, "a line must have at most " + MAX_CHARACTERS + " characters");
		Deque<String> words = new ArrayDeque<>(Arrays.asList(BLANKS.split(COMMA.matcher(text.trim()).replaceAll(","))));
		List<String> methods = (METHODS.matcher(words.getFirst()).matches()) ? list(words.removeFirst()) : List.of();
		boolean hasPaths = !words.isEmpty() && words.getFirst().startsWith("/");
		List<String> paths = (hasPaths) ? SplitPatterns.rejoined(list(words.removeFirst())) : List.of();
		StringBuilder limit = new StringBuilder();
		while (!words.isEmpty() && !words.getFirst().equals(PER)) {
			limit.append((limit.isEmpty()) ? "" : " ").append(words.removeFirst());
		}
		require(!limit.isEmpty(), "the line has no limit");
		requireLimit(limit.toString());
		return new RuleLine(methods, paths, limit.toString(), key(words));
	}

	private static void requireLimit(String text) {
		int path = text.indexOf(" /");
		require(path < 0 || text.startsWith(" / ", path) || text.indexOf('/') < path,
				"'" + text.substring(0, Math.max(0, path)) + "' is not an HTTP method, which has upper-case letters");
		int last = text.lastIndexOf(' ') + 1;
		require(last == 0 || !isKey(text.substring(last)) || !LimitText.hasForm(text.substring(0, last - 1)),
				"the key '" + text.substring(last) + "' must follow 'per'");
		int second = text.indexOf(' ') + 1;
		require(LimitText.hasForm(text) || second == 0 || !LimitText.hasForm(text.substring(second)),
				"'" + text.substring(0, Math.max(0, second - 1)) + "' is not a path, which starts with '/'");
		require(LimitText.hasForm(text), "'" + text + "' is not a limit");
	}

	private static boolean isKey(String word) {
		String kind = word.split("[:,]", 2)[0];
		return Arrays.stream(KeyPart.Kind.values()).anyMatch((known) -> known.word().equals(kind));
	}

	private static List<String> key(Deque<String> words) {
		if (words.isEmpty()) {
			return List.of();
		}
		words.removeFirst();
		require(words.size() == 1, (words.isEmpty()) ? "no key follows 'per'"
				: "after 'per', the parts of a key are separated by commas, such as 'per user, route'");
		return list(words.removeFirst());
	}

	private static List<String> list(String text) {
		List<String> parts = List.of(text.split(",", -1));
		require(parts.stream().noneMatch(String::isEmpty), "a comma must be between two words");
		return parts;
	}

	private static void require(boolean condition, String reason) {
		if (!condition) {
			throw new IllegalArgumentException(reason + EXAMPLE);
		}
	}

	/**
	 * The properties that the line contains.
	 * @return texts, or lists of texts, by the names of properties
	 */
	public Map<String, Object> properties() {
		Map<String, Object> properties = new LinkedHashMap<>();
		add(properties, "methods", this.methods);
		add(properties, "paths", this.paths);
		properties.put("limit", this.limit);
		add(properties, "key", this.key);
		return properties;
	}

	private static void add(Map<String, Object> properties, String name, List<String> values) {
		if (!values.isEmpty()) {
			properties.put(name, (values.size() == 1) ? values.get(0) : values);
		}
	}

}
