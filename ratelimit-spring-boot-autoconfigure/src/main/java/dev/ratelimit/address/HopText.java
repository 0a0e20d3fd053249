package dev.ratelimit.address;

/**
 * Reads one hop as proxies write it: an address, perhaps with brackets or a port, neither
 * of which counts.
 */
final class HopText {

	private HopText() {
	}

	// An element of X-Forwarded-For, or a header that holds a single address. Some
	// proxies
	// quote it.
	static IpAddress plain(String text, int start, int end) {
		int from = skipBlanks(text, start, end);
		int to = dropBlanks(text, from, end);
		boolean quoted = to - from > 1 && text.charAt(from) == '"' && text.charAt(to - 1) == '"';
		return (quoted) ? node(text, from + 1, to - 1) : node(text, from, to);
	}

	// What a server says of a peer, after others have had a hand in it: Spring's filter
	// puts IPv4 into brackets, with the port.
	static IpAddress reported(String text) {
		IpAddress address = plain(text, 0, text.length());
		boolean bracketed = text.startsWith("[") && text.endsWith("]");
		return (address.isKnown() || !bracketed) ? address : plain(text, 1, text.length() - 1);
	}

	// A node of RFC 7239 that was quoted: IPv6 has brackets.
	static IpAddress bracketed(String text) {
		int colon = text.indexOf(':');
		boolean ipv6 = colon >= 0 && !text.startsWith("[") && text.indexOf(':', colon + 1) >= 0;
		return (ipv6) ? IpAddress.UNKNOWN : node(text, 0, text.length());
	}

	private static IpAddress node(String text, int from, int to) {
		if (from < to && text.charAt(from) == '[') {
			int close = text.indexOf(']', from);
			return (close > 0 && isPort(text, close + 1, to)) ? IpLiteral.ipv6(text, from + 1, close)
					: IpAddress.UNKNOWN;
		}
		int colon = text.indexOf(':', from);
		boolean port = colon > 0 && colon < to && colon - from >= 7 && isPort(text, colon, to);
		return (port) ? IpLiteral.ipv4(text, from, colon) : IpLiteral.parse(text, from, to);
	}

	// Nothing, a number, or a name that hides one (RFC 7239).
	private static boolean isPort(String text, int from, int to) {
		if (from == to) {
			return true;
		}
		if (from > to || text.charAt(from) != ':' || to - from < 2) {
			return false;
		}
		boolean hidden = text.charAt(from + 1) == '_';
		for (int i = from + ((hidden) ? 2 : 1); i < to; i++) {
			if (!((hidden) ? isName(text.charAt(i)) : isDigit(text.charAt(i)))) {
				return false;
			}
		}
		return hidden || to - from <= 6;
	}

	private static boolean isName(char character) {
		return isDigit(character) || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| "._-".indexOf(character) >= 0;
	}

	private static boolean isDigit(char character) {
		return character >= '0' && character <= '9';
	}

	static int skipBlanks(String text, int start, int end) {
		int from = start;
		while (from < end && isBlank(text.charAt(from))) {
			from++;
		}
		return from;
	}

	static int dropBlanks(String text, int start, int end) {
		int to = end;
		while (to > start && isBlank(text.charAt(to - 1))) {
			to--;
		}
		return to;
	}

	private static boolean isBlank(char character) {
		return character == ' ' || character == '\t';
	}

}
