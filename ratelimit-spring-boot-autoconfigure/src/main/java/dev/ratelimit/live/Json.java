package dev.ratelimit.live;

import java.util.List;
import java.util.Map;

/**
 * Internal: JSON for the content of sources: maps, lists, texts, whole numbers, and
 * booleans. It does not depend on a JSON library, so that applications can use any
 * library.
 */
public final class Json {

	private static final String ESCAPED = "\"\\\b\f\n\r\t";

	private static final String ESCAPES = "\"\\bfnrt";

	/** YAML does not permit the 16-bit characters from here on unescaped. */
	private static final char NOT_CHARACTERS = '\ufffe';

	private Json() {
	}

	/**
	 * Write a value.
	 * @param value a map, list, text, number, or boolean
	 * @return the text; equal for equal values whose entries have the same order
	 */
	public static String write(Object value) {
		StringBuilder text = new StringBuilder();
		write(text, value);
		return text.toString();
	}

	/**
	 * Read an object.
	 * @param text the text
	 * @return the entries in their order; numbers and booleans as unconverted texts
	 * @throws IllegalArgumentException if the text is not an object, with the reason
	 */
	public static Map<String, Object> readObject(String text) {
		return new JsonReader(text).object();
	}

	private static void write(StringBuilder text, Object value) {
		if (value instanceof Map<?, ?> map) {
			writeMap(text, map);
		}
		else if (value instanceof List<?> list) {
			writeList(text, list);
		}
		else if (value instanceof Number || value instanceof Boolean) {
			text.append(value);
		}
		else {
			writeText(text, value.toString());
		}
	}

	private static void writeMap(StringBuilder text, Map<?, ?> map) {
		char before = '{';
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			text.append(before);
			writeText(text, String.valueOf(entry.getKey()));
			text.append(':');
			write(text, entry.getValue());
			before = ',';
		}
		text.append((before == '{') ? "{}" : "}");
	}

	private static void writeList(StringBuilder text, List<?> list) {
		char before = '[';
		for (Object value : list) {
			text.append(before);
			write(text, value);
			before = ',';
		}
		text.append((before == '[') ? "[]" : "]");
	}

	private static void writeText(StringBuilder text, String value) {
		text.append('"');
		for (int i = 0; i < value.length(); i++) {
			char next = value.charAt(i);
			int escaped = ESCAPED.indexOf(next);
			if (escaped >= 0) {
				text.append('\\').append(ESCAPES.charAt(escaped));
			}
			else if (next < ' ' || Character.isSurrogate(next) || next >= NOT_CHARACTERS) {
				text.append("\\u%04x".formatted((int) next));
			}
			else {
				text.append(next);
			}
		}
		text.append('"');
	}

}
