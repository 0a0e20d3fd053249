package dev.ratelimit.address;

/**
 * Writes addresses in their one canonical spelling: IPv4 in dots, IPv6 as RFC 5952 says.
 */
final class IpText {

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

	// The longest run of zeros, from two groups on, is left out; the first of equal ones.
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
