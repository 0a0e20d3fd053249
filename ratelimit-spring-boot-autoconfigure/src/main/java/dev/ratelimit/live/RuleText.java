package dev.ratelimit.live;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import dev.ratelimit.rule.RuleLine;

/**
 * Internal: documents and definitions of live rules as text.
 */
public final class RuleText {

	private static final String RULES = "rules";

	private static final int DIGEST_BYTES = 16;

	private RuleText() {
	}

	/**
	 * Read a document, whose {@code rules} have the properties of
	 * {@code ratelimit.rules}.
	 * @param text the text, as YAML or JSON
	 * @return the entries by rule id: nested maps, lists, and texts
	 * @throws IllegalArgumentException if it is invalid; the message is a sentence
	 * without a period
	 */
	public static Map<String, Object> document(String text) {
		Map<String, Object> document = map(text);
		if (!document.keySet().equals(Set.of(RULES))) {
			throw new IllegalArgumentException("a document must have 'rules' and nothing else");
		}
		if (!(document.get(RULES) instanceof Map<?, ?>)) {
			throw new IllegalArgumentException("'rules' must be a map; to remove all live rules, write 'rules: {}'");
		}
		@SuppressWarnings("unchecked")
		Map<String, Object> rules = (Map<String, Object>) document.get(RULES);
		RuleTree.check(rules);
		return RuleTree.expanded(rules);
	}

	/**
	 * Read the entry of one rule.
	 * @param text the text, as YAML or JSON, such as {@code limit: 200/min}; or a line,
	 * such as {@code POST /api/login 5/min per ip}
	 * @return the properties: nested maps, lists, and texts
	 * @throws IllegalArgumentException if it is invalid; the message is a sentence
	 * without a period
	 */
	@SuppressWarnings("unchecked")
	public static Map<String, Object> definition(String text) {
		Object definition = tree(text);
		if (definition instanceof String line) {
			return RuleLine.parse(line).properties();
		}
		if (definition instanceof Map<?, ?> map) {
			return (Map<String, Object>) map;
		}
		throw new IllegalArgumentException("a definition must be a map or a line");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(String text) {
		if (tree(text) instanceof Map<?, ?> map) {
			return (Map<String, Object>) map;
		}
		throw new IllegalArgumentException("a document must be a map");
	}

	private static Object tree(String text) {
		if (text.length() > RuleTree.MAX_CHARACTERS) {
			throw RuleTree.tooLong();
		}
		if (text.isBlank()) {
			throw new IllegalArgumentException("the text is empty");
		}
		return YamlTree.read(text);
	}

	/**
	 * Convert a document to text.
	 * @param rules the entries by rule id
	 * @return the text, as JSON, which {@link #document} reads
	 */
	public static String of(Map<String, Object> rules) {
		return Json.write(Map.of(RULES, rules));
	}

	/**
	 * Convert a document to text that every instance can read. To verify this, the text
	 * is read back, because it can exceed the maximum length, and YAML does not permit
	 * all characters.
	 * @param rules the entries by rule id
	 * @return the text, as JSON
	 * @throws IllegalArgumentException if {@link #document} could not read it; the
	 * message is a sentence without a period
	 */
	public static String readable(Map<String, Object> rules) {
		String text = of(rules);
		if (!digest(document(text)).equals(digest(rules))) {
			throw new IllegalArgumentException("the document would be read with another content");
		}
		return text;
	}

	/**
	 * Convert the entry of one rule to text.
	 * @param entry the properties
	 * @return the text, as JSON, which {@link #definition} reads
	 */
	public static String ofDefinition(Map<String, Object> entry) {
		return Json.write(entry);
	}

	/**
	 * Return a digest of the content of a document.
	 * @param rules the entries by rule id
	 * @return hexadecimal digits, equal for equal entries in any order
	 */
	public static String digest(Map<String, Object> rules) {
		byte[] text = Json.write(sorted(rules)).getBytes(StandardCharsets.UTF_8);
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
			return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Object sorted(Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<String, Object> sorted = new TreeMap<>();
			map.forEach((key, inner) -> sorted.put(String.valueOf(key), sorted(inner)));
			return sorted;
		}
		return (value instanceof List<?> list) ? list.stream().map(RuleText::sorted).toList() : value;
	}

}
