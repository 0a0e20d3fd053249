package dev.ratelimit.address;

/**
 * Reads an element of {@code Forwarded}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239">RFC 7239</a>
 */
final class ForwardedElement {

	private static final int NAME_LENGTH = 3;

	private ForwardedElement() {
	}

	/**
	 * The comma before the last element. Looked for from the right, since what a proxy
	 * has added there is well-formed, while a client may have left a quote open.
	 * @param text a line
	 * @param end where the last element ends
	 * @return the index of the comma, or -1
	 */
	static int comma(String text, int end) {
		boolean quoted = false;
		for (int i = end - 1; i >= 0; i--) {
			char character = text.charAt(i);
			if (character == '"' && !isEscaped(text, i)) {
				quoted = !quoted;
			}
			else if (character == ',' && !quoted) {
				return i;
			}
		}
		return -1;
	}

	private static boolean isEscaped(String text, int index) {
		int slashes = 0;
		while (index - slashes > 0 && text.charAt(index - slashes - 1) == '\\') {
			slashes++;
		}
		return slashes % 2 == 1;
	}

	// The address that the element's one "for" names.
	static IpAddress address(String text, int from, int to) {
		IpAddress found = IpAddress.UNKNOWN;
		boolean seen = false;
		for (int start = from; start <= to;) {
			int semicolon = semicolon(text, start, to);
			int name = HopText.skipBlanks(text, start, semicolon);
			if (text.regionMatches(true, name, "for", 0, NAME_LENGTH) && name + NAME_LENGTH < semicolon
					&& text.charAt(name + NAME_LENGTH) == '=') {
				if (seen) {
					return IpAddress.UNKNOWN;
				}
				seen = true;
				found = value(text, name + NAME_LENGTH + 1, HopText.dropBlanks(text, start, semicolon));
			}
			start = semicolon + 1;
		}
		return found;
	}

	private static int semicolon(String text, int from, int to) {
		boolean quoted = false;
		for (int i = from; i < to; i++) {
			char character = text.charAt(i);
			if (quoted && character == '\\') {
				i++;
			}
			else if (character == '"') {
				quoted = !quoted;
			}
			else if (character == ';' && !quoted) {
				return i;
			}
		}
		return to;
	}

	// What is not quoted is a token, which has neither colons nor brackets.
	private static IpAddress value(String text, int from, int to) {
		if (from >= to || text.charAt(from) != '"') {
			return IpLiteral.ipv4(text, from, to);
		}
		boolean closed = to - from > 1 && text.charAt(to - 1) == '"' && !isEscaped(text, to - 1);
		return (closed) ? HopText.bracketed(unescaped(text, from + 1, to - 1)) : IpAddress.UNKNOWN;
	}

	private static String unescaped(String text, int from, int to) {
		String value = text.substring(from, to);
		if (value.indexOf('\\') < 0) {
			return value;
		}
		StringBuilder plain = new StringBuilder(value.length());
		for (int i = 0; i < value.length(); i++) {
			boolean escape = value.charAt(i) == '\\' && i + 1 < value.length();
			plain.append(value.charAt((escape) ? ++i : i));
		}
		return plain.toString();
	}

}
