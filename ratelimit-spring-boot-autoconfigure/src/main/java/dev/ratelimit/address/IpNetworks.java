package dev.ratelimit.address;

import java.util.List;

/**
 * Internal: some networks, asked whether an address lies in one of them. Each family by
 * itself: {@code ::/0} holds no IPv4 address. Immutable.
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
	 * @param texts such as {@code 10.0.0.0/8}, {@code 2001:db8::/32} and
	 * {@code 192.0.2.7}
	 * @return the networks
	 * @throws IllegalArgumentException if one of them is none; the message says why
	 */
	public static IpNetworks of(List<String> texts) {
		return new IpNetworks(texts.stream().map(IpNetwork::parse).toList());
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

}
