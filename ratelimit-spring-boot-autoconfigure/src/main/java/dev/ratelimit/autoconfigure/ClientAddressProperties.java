package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.ratelimit.address.AddressHeader;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Resolution of the client address.
 *
 * @param source How to resolve the client address: from the connection and the headers of
 * trusted proxies (own), or by the container and Spring's filters (container).
 * @param trustedProxies Addresses and networks of the trusted proxies, such as
 * 10.0.0.0/8, or private.
 * @param trustedHops Number of trusted proxies, from 1 to 32, if their addresses are
 * unknown.
 * @param header Header in which the proxies send the client address: X-Forwarded-For,
 * Forwarded, or one that contains a single address. By default, X-Forwarded-For.
 * @param ipv6Prefix Number of leading bits of an IPv6 address that identify a client,
 * from 48 to 128.
 * @since 0.1.0
 */
record ClientAddressProperties(@DefaultValue("own") Source source, @DefaultValue List<String> trustedProxies,
		@Nullable Integer trustedHops, @Nullable String header, @DefaultValue("64") int ipv6Prefix) {

	private static final String PREFIX = "ratelimit.client-address.";

	private static final int MIN_IPV6_PREFIX = 48;

	private static final int MAX_IPV6_PREFIX = 128;

	public ClientAddressProperties {
		trustedProxies = List.copyOf(trustedProxies);
		require(ipv6Prefix >= MIN_IPV6_PREFIX && ipv6Prefix <= MAX_IPV6_PREFIX, "ipv6-prefix", ipv6Prefix,
				"it must be between 48 and 128", "Set the number of leading bits that identify a client, such as 64.");
		require(trustedHops == null || (trustedHops >= 1 && trustedHops <= ClientAddresses.MAX_HOPS), "trusted-hops",
				String.valueOf(trustedHops), "it must be between 1 and 32",
				"Set it to the number of proxies, or remove it.");
		require(trustedHops == null || trustedProxies.isEmpty(), "trusted-hops", String.valueOf(trustedHops),
				"'trusted-proxies' is also set", "Keep one of them.");
		boolean trusts = trustedHops != null || !trustedProxies.isEmpty();
		require(header == null || trusts, "header", String.valueOf(header),
				"it is ignored because no trusted proxy is configured",
				"Set 'ratelimit.client-address.trusted-proxies' or '.trusted-hops' too, or remove it.");
		require(header == null || isName(header), "header", String.valueOf(header), "it is not a header name",
				"Use a name such as X-Forwarded-For, Forwarded, or CF-Connecting-IP.");
		require(source == Source.OWN || !trusts, "source", source.name().toLowerCase(Locale.ROOT),
				"'trusted-proxies' and 'trusted-hops' only apply to 'source: own'", "Remove them, or remove 'source'.");
	}

	private static void require(boolean condition, String name, Object value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException(PREFIX + name, value.toString(), reason, action);
		}
	}

	private static boolean isName(String header) {
		return !header.isEmpty() && header.chars()
			.allMatch((character) -> character == '-' || character == '_'
					|| (character < 128 && Character.isLetterOrDigit(character)));
	}

	ClientAddresses addresses() {
		ClientAddresses addresses = ClientAddresses.OF_PEER.grouping(this.ipv6Prefix);
		if (this.source == Source.CONTAINER) {
			return addresses.byContainer();
		}
		AddressHeader addressHeader = (this.header != null) ? AddressHeader.of(this.header)
				: AddressHeader.X_FORWARDED_FOR;
		if (this.trustedHops != null) {
			require(addressHeader.kind() != AddressHeader.Kind.SINGLE || this.trustedHops == 1, "trusted-hops",
					this.trustedHops,
					"'" + addressHeader.name() + "' contains a single address, so only 1 hop is possible",
					"Set it to 1.");
			return addresses.behind(this.trustedHops, addressHeader);
		}
		return (this.trustedProxies.isEmpty()) ? addresses : addresses.behind(proxies(), addressHeader);
	}

	private IpNetworks proxies() {
		try {
			return IpNetworks.of(this.trustedProxies);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(PREFIX + "trusted-proxies", this.trustedProxies.toString(),
					String.valueOf(ex.getMessage()),
					"Use addresses, networks such as 10.0.0.0/8 and fd00::/8, or 'private'.");
		}
	}

	/**
	 * Return the reason for which clients can choose their address.
	 * @return the reason; empty if the address comes from the connection or from trusted
	 * proxies with known addresses
	 */
	Optional<String> forgeable() {
		if (this.source == Source.CONTAINER) {
			return Optional.of("with 'ratelimit.client-address.source: container', the address may come from a header");
		}
		if (this.trustedHops != null) {
			return Optional.of("with 'ratelimit.client-address.trusted-hops', the address comes from a header that any"
					+ " client can send");
		}
		return (this.trustedProxies.stream().anyMatch((network) -> network.endsWith("/0")))
				? Optional.of("'ratelimit.client-address.trusted-proxies' contains all addresses") : Optional.empty();
	}

	boolean trustsNoProxy() {
		return this.source == Source.OWN && this.trustedHops == null && this.trustedProxies.isEmpty();
	}

	/**
	 * The source of the client address.
	 */
	public enum Source {

		/** The limiter, from the connection and the headers of trusted proxies. */
		OWN,
		/** The container and Spring's filters, as they are configured. */
		CONTAINER

	}

}
