package dev.ratelimit.address;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the address of a client, and its key. Thread-safe.
 */
public final class ClientAddress {

	/** The key of clients without an address. All of them share it. */
	static final String UNKNOWN = "unknown";

	/**
	 * The default length of networks of IPv6 clients: one subscriber has all addresses of
	 * such a network.
	 */
	public static final int IPV6_PREFIX = 64;

	/** The request attribute in which a server stores the client address. */
	public static final String ATTRIBUTE = ClientAddress.class.getName();

	private final IpAddress address;

	private final int ipv6Prefix;

	private final boolean behindProxy;

	private final IpAddress peer;

	// Computed on first use, because not all rules count by address.
	private volatile @Nullable String key;

	private ClientAddress(IpAddress address, int ipv6Prefix, boolean behindProxy, IpAddress peer) {
		this.peer = peer;
		this.behindProxy = behindProxy;
		this.address = address;
		this.ipv6Prefix = ipv6Prefix;
	}

	/**
	 * Return whether forwarding headers are trusted: the connection comes from a trusted
	 * proxy, or the server reports the client address.
	 * @return false if the client address is the address of the connection
	 */
	public boolean behindProxy() {
		return this.behindProxy;
	}

	/**
	 * Return the address of the connection.
	 * @return the address; unknown if the server reports the client address
	 */
	public IpAddress peer() {
		return this.peer;
	}

	static ClientAddress behindProxy(IpAddress address, int ipv6Prefix, IpAddress peer) {
		return new ClientAddress(address, ipv6Prefix, true, peer);
	}

	/**
	 * Return a client.
	 * @param address the address of the client
	 * @param ipv6Prefix the number of leading bits of an IPv6 address that identify a
	 * client, up to 128
	 * @return the client
	 */
	public static ClientAddress of(IpAddress address, int ipv6Prefix) {
		return new ClientAddress(address, ipv6Prefix, false, address);
	}

	/**
	 * Return the whole address.
	 * @return the address; may be {@link IpAddress#UNKNOWN}
	 */
	public IpAddress address() {
		return this.address;
	}

	/**
	 * Return the key of the client, which has one spelling for each client.
	 * @return the key, such as {@code 203.0.113.7} or {@code 2001:db8:1:2::/64}, or
	 * {@link #UNKNOWN}
	 */
	public String key() {
		String computed = this.key;
		if (computed == null) {
			computed = made();
			this.key = computed;
		}
		return computed;
	}

	private String made() {
		if (!this.address.isKnown()) {
			return UNKNOWN;
		}
		boolean grouped = this.address.bits() == IpAddress.IPV6_BITS;
		return (grouped) ? this.address.first(this.ipv6Prefix) + "/" + this.ipv6Prefix : this.address.toString();
	}

	@Override
	public String toString() {
		return key();
	}

}
