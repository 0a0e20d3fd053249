package dev.ratelimit.address;

/**
 * A network: its first address, and how many leading bits its addresses share. Immutable.
 *
 * @param first the first address
 * @param prefix from 0 to the length of the address
 */
record IpNetwork(IpAddress first, int prefix) {

	private static final int MAPPED_BITS = IpAddress.IPV6_BITS - IpAddress.IPV4_BITS;

	static IpNetwork parse(String text) {
		String trimmed = text.trim();
		int slash = trimmed.indexOf('/');
		IpAddress address = IpAddress.parse((slash < 0) ? trimmed : trimmed.substring(0, slash));
		require(address.isKnown() && trimmed.indexOf('%') < 0, trimmed, "is neither an address nor a network");
		int prefix = (slash < 0) ? address.bits() : prefix(trimmed, slash + 1);
		if (slash >= 0 && address.bits() == IpAddress.IPV4_BITS && trimmed.indexOf(':') >= 0) {
			prefix -= MAPPED_BITS;
		}
		require(prefix >= 0 && prefix <= address.bits(), trimmed,
				"does not have a prefix length between 0 and " + address.bits());
		IpAddress first = address.first(prefix);
		require(first.equals(address), trimmed, "has bits beyond its prefix length; use " + first + "/" + prefix);
		return new IpNetwork(first, prefix);
	}

	private static int prefix(String text, int from) {
		int prefix = 0;
		for (int i = from; i < text.length() && prefix >= 0 && prefix <= IpAddress.IPV6_BITS; i++) {
			int digit = text.charAt(i) - '0';
			prefix = (digit >= 0 && digit <= 9) ? prefix * 10 + digit : -1;
		}
		return (from < text.length()) ? prefix : -1;
	}

	private static void require(boolean condition, String text, String reason) {
		if (!condition) {
			throw new IllegalArgumentException("'" + text + "' " + reason);
		}
	}

	long lastHigh() {
		int host = this.first.bits() - this.prefix;
		return this.first.high() | ((host > 64) ? ones(host - 64) : 0);
	}

	long lastLow() {
		return this.first.low() | ones(Math.min(64, this.first.bits() - this.prefix));
	}

	private static long ones(int count) {
		return (count == 0) ? 0 : -1L >>> (64 - count);
	}

}
