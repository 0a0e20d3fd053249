package dev.ratelimit.address;

import java.util.List;
import java.util.function.Function;

/**
 * Internal: finds the client's address: that of the connection, or, where the connection
 * comes from a trusted proxy, the nearest address before it that is not trusted.
 * Thread-safe.
 */
public final class ClientAddresses {

	/** Most hops that are looked at. */
	public static final int MOST_HOPS = 32;

	/** The connection's, whatever headers say. */
	public static final ClientAddresses OF_PEER = new ClientAddresses(IpNetworks.NONE, 0, AddressHeader.X_FORWARDED_FOR,
			ClientAddress.IPV6_PREFIX, false);

	private final IpNetworks proxies;

	private final int hops;

	private final AddressHeader header;

	private final int ipv6Prefix;

	private final boolean byContainer;

	private ClientAddresses(IpNetworks proxies, int hops, AddressHeader header, int ipv6Prefix, boolean byContainer) {
		this.proxies = proxies;
		this.hops = hops;
		this.header = header;
		this.ipv6Prefix = ipv6Prefix;
		this.byContainer = byContainer;
	}

	/**
	 * The same, behind proxies that are known by their addresses.
	 * @param networks the proxies' networks
	 * @param told the header that the proxies write
	 * @return the finder
	 */
	public ClientAddresses behind(IpNetworks networks, AddressHeader told) {
		return new ClientAddresses(networks, 0, told, this.ipv6Prefix, false);
	}

	/**
	 * The same, behind a number of proxies, whatever their addresses.
	 * @param count how many, from 1 to {@value #MOST_HOPS}
	 * @param told the header that the proxies write
	 * @return the finder
	 */
	public ClientAddresses behind(int count, AddressHeader told) {
		return new ClientAddresses(IpNetworks.NONE, count, told, this.ipv6Prefix, false);
	}

	/**
	 * The same, with the addresses that the server reports, which may come from headers.
	 * @return the finder
	 */
	public ClientAddresses byContainer() {
		return new ClientAddresses(IpNetworks.NONE, 0, this.header, this.ipv6Prefix, true);
	}

	/**
	 * The same, with IPv6 clients told apart by other networks.
	 * @param prefix how many leading bits count, from 48 to 128
	 * @return the finder
	 */
	public ClientAddresses grouping(int prefix) {
		return new ClientAddresses(this.proxies, this.hops, this.header, prefix, this.byContainer);
	}

	/**
	 * Whether the server is to be asked for the address it reports, rather than for the
	 * connection's.
	 * @return whether {@link #reported} is to be called instead of {@link #find}
	 */
	public boolean asksContainer() {
		return this.byContainer;
	}

	/**
	 * The client that a server reports.
	 * @param text the address as reported, possibly from a header
	 * @return the client
	 */
	public ClientAddress reported(String text) {
		return ClientAddress.behindProxy(HopText.reported(text), this.ipv6Prefix, IpAddress.UNKNOWN);
	}

	/**
	 * The client behind a connection.
	 * @param peer who has opened the connection
	 * @param lines finds the lines of a header, as they came over the connection; asked
	 * only if the peer is trusted
	 * @return the client
	 */
	public ClientAddress find(IpAddress peer, Function<String, List<String>> lines) {
		return (isTrusted(peer, 0)) ? behindProxy(peer, lines) : ClientAddress.of(peer, this.ipv6Prefix);
	}

	// Whoever cannot be read is charged to the trusted hop that has let it in: what is
	// further left may be anybody's invention.
	private IpAddress before(IpAddress peer, List<String> lines) {
		IpAddress nearest = peer;
		Hops hops = Hops.of(this.header, lines);
		for (int i = 0; i < MOST_HOPS && hops.hasNext() && isTrusted(nearest, i); i++) {
			IpAddress hop = hops.next();
			if (!hop.isKnown()) {
				return nearest;
			}
			nearest = hop;
		}
		return nearest;
	}

	/**
	 * Whether an address is that of a trusted proxy, and so of all clients behind it.
	 * @param address the address
	 * @return whether it is
	 */
	public boolean isProxy(IpAddress address) {
		return this.proxies.contains(address);
	}

	private boolean isTrusted(IpAddress address, int distance) {
		return distance < this.hops || this.proxies.contains(address);
	}

	private ClientAddress behindProxy(IpAddress peer, Function<String, List<String>> lines) {
		return ClientAddress.behindProxy(before(peer, lines.apply(this.header.name())), this.ipv6Prefix, peer);
	}

}
