package dev.ratelimit.address;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Internal: a set of networks, with a lookup for addresses. Each family by itself:
 * {@code ::/0} holds no IPv4 address. Immutable.
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
	 * Networks in CIDR notation; an address without a length is a network of its own.
	 * @param texts such as {@code 10.0.0.0/8}, {@code 2001:db8::/32}, {@code 192.0.2.7},
	 * and the name of a range, such as {@code private}
	 * @return the networks
	 * @throws IllegalArgumentException if one of them is none; the message says why
	 */
	public static IpNetworks of(List<String> texts) {
		return new IpNetworks(
				texts.stream().flatMap((text) -> NamedRange.expand(text.trim())).map(IpNetwork::parse).toList());
	}

	/**
	 * Whether there is no network.
	 * @return whether no address lies in these
	 */
	public boolean isEmpty() {
		return this.ipv4.isEmpty() && this.ipv6.isEmpty();
	}

	/**
	 * Whether an address lies in one of these networks.
	 * @param address the address
	 * @return whether it does
	 */
	public boolean contains(IpAddress address) {
		return switch (address.bits()) {
			case IpAddress.IPV4_BITS -> this.ipv4.contains(address.high(), address.low());
			case IpAddress.IPV6_BITS -> this.ipv6.contains(address.high(), address.low());
			default -> false;
		};
	}

	/**
	 * Ranges that have a name, of the registries of special-purpose addresses (RFC 6890).
	 */
	private enum NamedRange {

		/** The host itself. */
		LOOPBACK("127.0.0.0/8", "::1"),

		/** Addresses of one link. */
		LINKLOCAL("169.254.0.0/16", "fe80::/10"),

		/** Private networks (RFC 1918, RFC 4193). */
		UNIQUELOCAL("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),

		/** All of these, and the address space shared by carriers (RFC 6598). */
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
	 * Ranges of addresses of one family, in order, none of which touches another: found
	 * by halving, however many there are. Immutable.
	 */
	private static final class IpRanges {

		private static final Comparator<IpNetwork> BY_START = (one, other) -> compare(one.first().high(),
				one.first().low(), other.first().high(), other.first().low());

		/**
		 * Four numbers each: the first address and the last, with the high half first.
		 */
		private final long[] ranges;

		private final int count;

		private IpRanges(List<IpNetwork> sorted) {
			this.ranges = new long[4 * sorted.size()];
			int filled = 0;
			for (IpNetwork network : sorted) {
				boolean within = filled > 0 && compare(network.first().high(), network.first().low(),
						this.ranges[4 * filled - 2], this.ranges[4 * filled - 1]) <= 0;
				// Networks lie in each other or apart, and the larger one comes first.
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
	 * A network: its first address, and how many leading bits its addresses share.
	 * Immutable.
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
			require(address.isKnown() && trimmed.indexOf('%') < 0, trimmed,
					"is neither an address, a network, nor a range such as 'private'");
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

}
