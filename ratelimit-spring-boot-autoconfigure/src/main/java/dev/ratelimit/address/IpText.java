package dev.ratelimit.address;

/**
 * Writes addresses in their one canonical spelling: IPv4 in dots, IPv6 as RFC 5952 says.
 */
final class IpText {

	private static final int GROUPS = 8;

	private IpText() {
	}

	static String of(IpAddress address) {
		return switch (address.bits()) {
			case IpAddress.IPV4_BITS -> dotted(address.low());
			case IpAddress.IPV6_BITS -> grouped(address);
			default -> "";
		};
	}

	private static String dotted(long bits) {
		return new StringBuilder(15).append(bits >>> 24)
			.append('.')
			.append((bits >>> 16) & 255)
			.append('.')
			.append((bits >>> 8) & 255)
			.append('.')
			.append(bits & 255)
			.toString();
	}

	// The longest run of zeros, from two groups on, is left out; the first of equal ones.
	private static String grouped(IpAddress address) {
		int start = GROUPS;
		int length = 1;
		for (int i = 0; i < GROUPS; i++) {
			int run = zeros(address, i);
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
				text.append((first) ? "" : ":").append(Integer.toHexString(group(address, i)));
			}
		}
		return text.toString();
	}

	private static int zeros(IpAddress address, int from) {
		int end = from;
		while (end < GROUPS && group(address, end) == 0) {
			end++;
		}
		return end - from;
	}

	private static int group(IpAddress address, int index) {
		long half = (index < GROUPS / 2) ? address.high() : address.low();
		return (int) (half >>> (16 * (3 - index % 4))) & 0xffff;
	}

}
