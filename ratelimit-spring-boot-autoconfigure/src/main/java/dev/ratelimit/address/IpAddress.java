package dev.ratelimit.address;

import java.net.InetAddress;

/**
 * Internal: an IPv4 or IPv6 address. Different spellings of an address are equal. An IPv6
 * address that contains a mapped IPv4 address ({@code ::ffff:0:0/96}), or one translated
 * by NAT64 ({@code 64:ff9b::/96}, RFC 6052), is equal to the IPv4 address. Literals are
 * parsed strictly: other forms that {@link InetAddress} reads (names, {@code 16909060},
 * {@code 1.2.3}, {@code 010.0.0.1}) are not addresses. Immutable.
 */
public final class IpAddress {

	/**
	 * An unknown address, such as that of a peer on a Unix socket. No network contains
	 * it.
	 */
	public static final IpAddress UNKNOWN = new IpAddress(0, 0, 0);

	/** The length of an IPv4 address, in bits. */
	static final int IPV4_BITS = 32;

	/** The length of an IPv6 address, in bits. */
	static final int IPV6_BITS = 128;

	private static final int GROUPS = 8;

	private static final int MAX_ZONE_LENGTH = 64;

	private static final long UNSIGNED_INT = 0xffff_ffffL;

	private static final long MAPPED = 0xffffL;

	private static final long NAT64 = 0x0064_ff9b_0000_0000L;

	private final int bits;

	private final long high;

	private final long low;

	private IpAddress(int bits, long high, long low) {
		this.bits = bits;
		this.high = high;
		this.low = low;
	}

	static IpAddress ofIpv4(long bits) {
		return new IpAddress(IPV4_BITS, 0, bits & UNSIGNED_INT);
	}

	static IpAddress ofIpv6(long high, long low) {
		boolean mapped = high == 0 && low >>> IPV4_BITS == MAPPED;
		boolean translated = high == NAT64 && low >>> IPV4_BITS == 0;
		return (mapped || translated) ? ofIpv4(low) : new IpAddress(IPV6_BITS, high, low);
	}

	/**
	 * Parse a literal: four decimal numbers without leading zeros, or an IPv6 literal
	 * with or without a zone, which is ignored. Names are not resolved.
	 * @param text the text, which clients may control
	 * @return the address, or {@link #UNKNOWN} if the text is not a literal
	 */
	public static IpAddress parse(String text) {
		return parse(text, 0, text.length());
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
		return (bits < 0) ? UNKNOWN : ofIpv4(bits);
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
			return new Groups(text, from, to).address();
		}
		return (isZone(text, zone + 1, to)) ? new Groups(text, from, zone).address() : UNKNOWN;
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
	 * Return an address that the network stack reports.
	 * @param address the address
	 * @return the same address
	 */
	public static IpAddress of(InetAddress address) {
		byte[] bytes = address.getAddress();
		return (bytes.length == 4) ? ofIpv4(number(bytes, 0, 4)) : ofIpv6(number(bytes, 0, 8), number(bytes, 8, 8));
	}

	private static long number(byte[] bytes, int from, int length) {
		long number = 0;
		for (int i = from; i < from + length; i++) {
			number = (number << 8) | (bytes[i] & 255);
		}
		return number;
	}

	/**
	 * Return whether the address is known.
	 * @return false for {@link #UNKNOWN}
	 */
	public boolean isKnown() {
		return this.bits != 0;
	}

	int bits() {
		return this.bits;
	}

	long high() {
		return this.high;
	}

	long low() {
		return this.low;
	}

	/**
	 * Return the first address of the network that contains this address.
	 * @param prefix the length of the network, from 0 to the length of the address
	 * @return the address with all further bits zero
	 */
	IpAddress first(int prefix) {
		int host = this.bits - prefix;
		if (host <= 0) {
			return this;
		}
		long first = this.low & ((host < 64) ? -1L << host : 0);
		return new IpAddress(this.bits, (host > 64) ? ((host < 128) ? this.high & (-1L << (host - 64)) : 0) : this.high,
				first);
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof IpAddress that && this.bits == that.bits && this.high == that.high
				&& this.low == that.low;
	}

	@Override
	public int hashCode() {
		return Long.hashCode(this.high * 31 + this.low);
	}

	/**
	 * Return the address in its canonical spelling (RFC 5952).
	 * @return the text; empty if the address is unknown
	 */
	@Override
	public String toString() {
		return switch (this.bits) {
			case IPV4_BITS -> ipv4Text(this.low);
			case IPV6_BITS -> ipv6Text(this.high, this.low);
			default -> "";
		};
	}

	private static String ipv4Text(long bits) {
		return new StringBuilder(15).append(bits >>> 24)
			.append('.')
			.append((bits >>> 16) & 255)
			.append('.')
			.append((bits >>> 8) & 255)
			.append('.')
			.append(bits & 255)
			.toString();
	}

	// Omits the longest sequence of at least two groups of zeros; if several are
	// equally long, the first.
	private static String ipv6Text(long high, long low) {
		int start = GROUPS;
		int length = 1;
		for (int i = 0; i < GROUPS; i++) {
			int run = zeros(high, low, i);
			if (run > length) {
				start = i;
				length = run;
			}
		}
		StringBuilder text = new StringBuilder(43);
		for (int i = 0; i < GROUPS; i++) {
			if (i == start) {
				text.append("::");
				i += length - 1;
			}
			else {
				boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
				text.append((first) ? "" : ":").append(Integer.toHexString(group(high, low, i)));
			}
		}
		return text.toString();
	}

	private static int zeros(long high, long low, int from) {
		int end = from;
		while (end < GROUPS && group(high, low, end) == 0) {
			end++;
		}
		return end - from;
	}

	private static int group(long high, long low, int index) {
		long half = (index < GROUPS / 2) ? high : low;
		return (int) (half >>> (16 * (3 - index % 4))) & 0xffff;
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
			return (read && complete) ? ofIpv6(half(0), half(GROUPS / 2)) : UNKNOWN;
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
