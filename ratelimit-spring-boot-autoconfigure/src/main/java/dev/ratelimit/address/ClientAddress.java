package dev.ratelimit.address;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the address of a client, and the text by which it is counted. Thread-safe.
 */
public final class ClientAddress {

	/** The key of clients without an address. All of them share it. */
	static final String UNKNOWN = "unknown";

	/** By default, one subscriber's network: a single host owns all addresses of it. */
	public static final int IPV6_PREFIX = 64;

	/** The request attribute in which a server keeps the client's address. */
	public static final String ATTRIBUTE = ClientAddress.class.getName();

	private final IpAddress address;

	private final int ipv6Prefix;

	private final boolean behindProxy;

	private final IpAddress peer;

	// Made when first requested: not all rules count by address.
	private volatile @Nullable String key;

	private ClientAddress(IpAddress address, int ipv6Prefix, boolean behindProxy, IpAddress peer) {
		this.peer = peer;
		this.behindProxy = behindProxy;
		this.address = address;
		this.ipv6Prefix = ipv6Prefix;
	}

	/**
	 * Whether forwarding headers are believed: a trusted proxy has let the client in, or
	 * the server's word is taken.
	 * @return false if the address is simply the connection's
	 */
	public boolean behindProxy() {
		return this.behindProxy;
	}

	/**
	 * The address of the connection.
	 * @return the address, unknown if only the server's word for the client is taken
	 */
	public IpAddress peer() {
		return this.peer;
	}

	static ClientAddress behindProxy(IpAddress address, int ipv6Prefix, IpAddress peer) {
		return new ClientAddress(address, ipv6Prefix, true, peer);
	}

	/**
	 * A client.
	 * @param address its address
	 * @param ipv6Prefix how many leading bits of an IPv6 address count, up to 128
	 * @return the client
	 */
	public static ClientAddress of(IpAddress address, int ipv6Prefix) {
		return new ClientAddress(address, ipv6Prefix, false, address);
	}

	/**
	 * The whole address.
	 * @return the address, perhaps {@link IpAddress#UNKNOWN}
	 */
	public IpAddress address() {
		return this.address;
	}

	/**
	 * The text by which the client is counted: one spelling per client.
	 * @return such as {@code 203.0.113.7} or {@code 2001:db8:1:2::/64}, or
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
