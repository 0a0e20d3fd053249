package dev.ratelimit.address;

import java.net.InetAddress;

/**
 * Internal: an IPv4 or IPv6 address. Different spellings of an address are equal. An IPv6
 * address that contains a mapped IPv4 address ({@code ::ffff:0:0/96}), or one translated
 * by NAT64 ({@code 64:ff9b::/96}, RFC 6052), is equal to the IPv4 address. Immutable.
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
		return IpLiteral.parse(text, 0, text.length());
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
			case IPV4_BITS -> IpText.ofIpv4(this.low);
			case IPV6_BITS -> IpText.ofIpv6(this.high, this.low);
			default -> "";
		};
	}

	/**
	 * Formats addresses in their canonical spelling: IPv4 with dots, IPv6 according to
	 * RFC 5952.
	 */
	private static final class IpText {

		private static final int GROUPS = 8;

		private IpText() {
		}

		static String ofIpv4(long bits) {
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
		static String ofIpv6(long high, long low) {
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

	}

}
