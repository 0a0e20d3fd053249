package dev.ratelimit.address;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Internal: a set of networks, with a lookup for addresses. The families are separate:
 * {@code ::/0} does not contain IPv4 addresses. Immutable.
 */
public final class IpNetworks {

	/** No network. */
	public static final IpNetworks NONE = of(List.of());

	private final IpRanges ipv4;

	private final IpRanges ipv6;

	private IpNetworks(List<IpNetwork> networks) {
		this.ipv4 = IpRanges.of(networks, IpAddress.IPV4_BITS);
		this.ipv6 = IpRanges.of(networks, IpAddress.IPV6_BITS);
	}

	/**
	 * Parse networks in CIDR notation. An address without a length is a network with one
	 * address.
	 * @param texts the networks, such as {@code 10.0.0.0/8}, {@code 2001:db8::/32}, and
	 * {@code 192.0.2.7}, and names of ranges, such as {@code private}
	 * @return the networks
	 * @throws IllegalArgumentException if a text is not a network; the message contains
	 * the reason
	 */
	public static IpNetworks of(List<String> texts) {
		return new IpNetworks(
				texts.stream().flatMap((text) -> NamedRange.expand(text.trim())).map(IpNetwork::parse).toList());
	}

	/**
	 * Return whether there are no networks.
	 * @return whether these networks contain no addresses
	 */
	public boolean isEmpty() {
		return this.ipv4.isEmpty() && this.ipv6.isEmpty();
	}

	/**
	 * Return whether one of these networks contains an address.
	 * @param address the address
	 * @return whether a network contains the address
	 */
	public boolean contains(IpAddress address) {
		return switch (address.bits()) {
			case IpAddress.IPV4_BITS -> this.ipv4.contains(address.high(), address.low());
			case IpAddress.IPV6_BITS -> this.ipv6.contains(address.high(), address.low());
			default -> false;
		};
	}

	/**
	 * Named ranges from the registries of special-purpose addresses (RFC 6890).
	 */
	private enum NamedRange {

		/** Addresses of the host. */
		LOOPBACK("127.0.0.0/8", "::1"),

		/** Addresses of one link. */
		LINKLOCAL("169.254.0.0/16", "fe80::/10"),

		/** Private networks (RFC 1918, RFC 4193). */
		UNIQUELOCAL("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),

		/**
		 * All other named ranges, and the shared address space of carriers (RFC 6598).
		 */
		PRIVATE("100.64.0.0/10");

		private final List<String> networks;

		NamedRange(String... networks) {
			this.networks = List.of(networks);
		}

		static Stream<String> expand(String text) {
			for (NamedRange range : values()) {
				if (range.name().toLowerCase(Locale.ROOT).equals(text)) {
					return (range == PRIVATE) ? Arrays.stream(values()).flatMap((each) -> each.networks.stream())
							: range.networks.stream();
				}
			}
			return Stream.of(text);
		}

	}

	/**
	 * Sorted ranges of addresses of one family that do not overlap, for binary search.
	 * Immutable.
	 */
	private static final class IpRanges {

		private static final Comparator<IpNetwork> BY_START = (one, other) -> compare(one.first().high(),
				one.first().low(), other.first().high(), other.first().low());

		/**
		 * Four numbers for each range: the first and the last address, each with its high
		 * half first.
		 */
		private final long[] ranges;

		private final int count;

		private IpRanges(List<IpNetwork> sorted) {
			this.ranges = new long[4 * sorted.size()];
			int filled = 0;
			for (IpNetwork network : sorted) {
				boolean within = filled > 0 && compare(network.first().high(), network.first().low(),
						this.ranges[4 * filled - 2], this.ranges[4 * filled - 1]) <= 0;
				// Networks are nested or disjoint, and the larger network precedes those
				// that it contains.
				if (!within) {
					this.ranges[4 * filled] = network.first().high();
					this.ranges[4 * filled + 1] = network.first().low();
					this.ranges[4 * filled + 2] = network.lastHigh();
					this.ranges[4 * filled + 3] = network.lastLow();
					filled++;
				}
			}
			this.count = filled;
		}

		static IpRanges of(List<IpNetwork> networks, int bits) {
			return new IpRanges(networks.stream()
				.filter((network) -> network.first().bits() == bits)
				.sorted(BY_START.thenComparingInt(IpNetwork::prefix))
				.toList());
		}

		boolean isEmpty() {
			return this.count == 0;
		}

		boolean contains(long high, long low) {
			int from = 0;
			int to = this.count;
			while (from < to) {
				int middle = 4 * ((from + to) >>> 1);
				if (compare(high, low, this.ranges[middle], this.ranges[middle + 1]) < 0) {
					to = middle / 4;
				}
				else if (compare(high, low, this.ranges[middle + 2], this.ranges[middle + 3]) > 0) {
					from = middle / 4 + 1;
				}
				else {
					return true;
				}
			}
			return false;
		}

		private static int compare(long high, long low, long otherHigh, long otherLow) {
			int order = Long.compareUnsigned(high, otherHigh);
			return (order != 0) ? order : Long.compareUnsigned(low, otherLow);
		}

	}

	/**
	 * A network: its first address, and the number of leading bits that its addresses
	 * share. Immutable.
	 *
	 * @param first the first address
	 * @param prefix the number of leading bits, from 0 to the length of the address
	 */
	record IpNetwork(IpAddress first, int prefix) {

		private static final int MAPPED_BITS = IpAddress.IPV6_BITS - IpAddress.IPV4_BITS;

		static IpNetwork parse(String text) {
			String trimmed = text.trim();
			int slash = trimmed.indexOf('/');
			IpAddress address = IpAddress.parse((slash < 0) ? trimmed : trimmed.substring(0, slash));
			require(address.isKnown() && trimmed.indexOf('%') < 0, trimmed,
					"is neither an address, a network, nor a range such as 'private'");
			int prefix = (slash < 0) ? address.bits() : prefix(trimmed, slash + 1);
			if (slash >= 0 && address.bits() == IpAddress.IPV4_BITS && trimmed.indexOf(':') >= 0) {
				prefix -= MAPPED_BITS;
				require(prefix != 0, trimmed, "contains all IPv4 addresses; use 0.0.0.0/0 if this is intended");
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

}
