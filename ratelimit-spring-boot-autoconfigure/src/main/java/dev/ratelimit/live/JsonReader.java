package dev.ratelimit.live;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON strictly, except that numbers, booleans, and null are texts.
 */
final class JsonReader {

	private static final int MAX_DEPTH = 32;

	private static final String WHITESPACE = " \t\r\n";

	private static final String ENDS = WHITESPACE + ",]}";

	private final String text;

	private int at;

	private int depth;

	JsonReader(String text) {
		this.text = text;
	}

	Map<String, Object> object() {
		expect('{');
		Map<String, Object> object = map();
		skipWhitespace();
		if (this.at < this.text.length()) {
			throw unexpected();
		}
		return object;
	}

	private Object value() {
		skipWhitespace();
		return switch (peek()) {
			case '{' -> {
				this.at++;
				yield map();
			}
			case '[' -> {
				this.at++;
				yield list();
			}
			case '"' -> string();
			default -> literal();
		};
	}

	private Map<String, Object> map() {
		enter();
		Map<String, Object> map = new LinkedHashMap<>();
		while (more('}', map.isEmpty())) {
			skipWhitespace();
			String key = string();
			expect(':');
			if (map.put(key, value()) != null) {
				throw new IllegalArgumentException("'" + key + "' is there twice");
			}
		}
		this.depth--;
		return map;
	}

	private List<Object> list() {
		enter();
		List<Object> list = new ArrayList<>();
		while (more(']', list.isEmpty())) {
			list.add(value());
		}
		this.depth--;
		return list;
	}

	private void enter() {
		if (++this.depth > MAX_DEPTH) {
			throw new IllegalArgumentException("it is nested too deeply");
		}
	}

	private boolean more(char end, boolean first) {
		skipWhitespace();
		if (peek() == end) {
			this.at++;
			return false;
		}
		if (!first) {
			expect(',');
		}
		return true;
	}

	private String string() {
		expect('"');
		StringBuilder value = new StringBuilder();
		while (peek() != '"') {
			char next = this.text.charAt(this.at++);
			if (next < ' ') {
				this.at--;
				throw unexpected();
			}
			value.append((next == '\\') ? escape() : next);
		}
		this.at++;
		return value.toString();
	}

	private char escape() {
		char kind = peek();
		this.at++;
		return switch (kind) {
			case '"', '\\', '/' -> kind;
			case 'b' -> '\b';
			case 'f' -> '\f';
			case 'n' -> '\n';
			case 'r' -> '\r';
			case 't' -> '\t';
			case 'u' -> unicode();
			default -> {
				this.at--;
				throw unexpected();
			}
		};
	}

	private char unicode() {
		int end = this.at + 4;
		if (end > this.text.length() || !this.text.substring(this.at, end).matches("[0-9a-fA-F]{4}")) {
			throw unexpected();
		}
		char read = (char) Integer.parseInt(this.text, this.at, end, 16);
		this.at = end;
		return read;
	}

	private String literal() {
		int start = this.at;
		while (this.at < this.text.length() && ENDS.indexOf(this.text.charAt(this.at)) < 0) {
			this.at++;
		}
		String literal = this.text.substring(start, this.at);
		if (!literal.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
			this.at = start;
			throw unexpected();
		}
		return literal;
	}

	private void expect(char expected) {
		skipWhitespace();
		if (peek() != expected) {
			throw unexpected();
		}
		this.at++;
	}

	private char peek() {
		if (this.at >= this.text.length()) {
			throw new IllegalArgumentException("it ends too early");
		}
		return this.text.charAt(this.at);
	}

	private void skipWhitespace() {
		while (this.at < this.text.length() && WHITESPACE.indexOf(this.text.charAt(this.at)) >= 0) {
			this.at++;
		}
	}

	private IllegalArgumentException unexpected() {
		return new IllegalArgumentException("unexpected character at " + (this.at + 1));
	}

}
