package dev.ratelimit.address;

/**
 * Reads literals of addresses, strictly: other forms that {@link java.net.InetAddress}
 * reads (names, {@code 16909060}, {@code 1.2.3}, {@code 010.0.0.1}) are not addresses.
 */
final class IpLiteral {

	private static final int GROUPS = 8;

	private static final int MAX_ZONE_LENGTH = 64;

	private IpLiteral() {
	}

	static IpAddress parse(String text, int from, int to) {
		for (int i = from; i < Math.min(to, from + 5); i++) {
			if (text.charAt(i) == ':') {
				return ipv6(text, from, to);
			}
		}
		return ipv4(text, from, to);
	}

	static IpAddress ipv4(String text, int from, int to) {
		long bits = ipv4Bits(text, from, to);
		return (bits < 0) ? IpAddress.UNKNOWN : IpAddress.ofIpv4(bits);
	}

	// Returns a negative number if the text is not an IPv4 literal.
	private static long ipv4Bits(String text, int from, int to) {
		long bits = 0;
		int octet = -1;
		int dots = 0;
		for (int i = from; i < to; i++) {
			char character = text.charAt(i);
			if (character == '.' && octet >= 0 && dots < 3) {
				bits = (bits << 8) | octet;
				octet = -1;
				dots++;
			}
			else if (character >= '0' && character <= '9' && octet != 0 && octet < 100) {
				octet = Math.max(octet, 0) * 10 + character - '0';
			}
			else {
				return -1;
			}
			if (octet > 255) {
				return -1;
			}
		}
		return (dots == 3 && octet >= 0) ? (bits << 8) | octet : -1;
	}

	static IpAddress ipv6(String text, int from, int to) {
		int zone = text.indexOf('%', from);
		if (zone < 0 || zone >= to) {
			return new IpLiteral.Groups(text, from, to).address();
		}
		return (isZone(text, zone + 1, to)) ? new IpLiteral.Groups(text, from, zone).address() : IpAddress.UNKNOWN;
	}

	private static boolean isZone(String text, int from, int to) {
		for (int i = from; i < to; i++) {
			char character = text.charAt(i);
			if (character <= ' ' || character >= 127 || character == '%' || character == ']') {
				return false;
			}
		}
		return from < to && to - from <= MAX_ZONE_LENGTH;
	}

	/**
	 * Parses the groups of an IPv6 literal sequentially.
	 */
	private static final class Groups {

		private final String text;

		private final int to;

		private final int[] values = new int[GROUPS];

		private int at;

		private int count;

		/** The number of groups before the double colon; negative if there is none. */
		private int before = -1;

		Groups(String text, int from, int to) {
			this.text = text;
			this.at = from;
			this.to = to;
		}

		IpAddress address() {
			boolean read = start() && rest();
			boolean complete = (this.before < 0) ? this.count == GROUPS : this.count < GROUPS;
			return (read && complete) ? IpAddress.ofIpv6(half(0), half(GROUPS / 2)) : IpAddress.UNKNOWN;
		}

		private boolean start() {
			if (isAt("::")) {
				this.before = 0;
				this.at += 2;
				return true;
			}
			return this.at < this.to && group();
		}

		private boolean rest() {
			// After a leading double colon, the literal can end, or a group can follow
			// without a separator.
			boolean read = this.count > 0 || this.at == this.to || group();
			while (read && this.at < this.to) {
				read = separator() && (this.at == this.to || group());
			}
			return read;
		}

		private boolean separator() {
			if (isAt("::") && this.before < 0) {
				this.before = this.count;
				this.at += 2;
				return true;
			}
			this.at++;
			return this.text.charAt(this.at - 1) == ':' && this.at < this.to;
		}

		private boolean isAt(String mark) {
			return this.at + mark.length() <= this.to && this.text.startsWith(mark, this.at);
		}

		private boolean group() {
			int start = this.at;
			int value = 0;
			while (this.at < this.to && this.at - start < 4 && digit() >= 0) {
				value = (value << 4) | digit();
				this.at++;
			}
			if (this.at < this.to && this.text.charAt(this.at) == '.') {
				return ipv4(start);
			}
			return this.at > start && add(value);
		}

		private boolean ipv4(int start) {
			long bits = ipv4Bits(this.text, start, this.to);
			this.at = this.to;
			return bits >= 0 && add((int) (bits >>> 16)) && add((int) bits & 0xffff);
		}

		private boolean add(int value) {
			if (this.count == GROUPS) {
				return false;
			}
			this.values[this.count++] = value;
			return true;
		}

		private int digit() {
			char character = this.text.charAt(this.at);
			return (character < 128) ? Character.digit(character, 16) : -1;
		}

		private long half(int first) {
			long half = 0;
			for (int i = first; i < first + GROUPS / 2; i++) {
				half = (half << 16) | value(i);
			}
			return half;
		}

		private int value(int index) {
			if (this.before < 0 || index < this.before) {
				return this.values[index];
			}
			int fromEnd = GROUPS - index;
			return (fromEnd <= this.count - this.before) ? this.values[this.count - fromEnd] : 0;
		}

	}

}
