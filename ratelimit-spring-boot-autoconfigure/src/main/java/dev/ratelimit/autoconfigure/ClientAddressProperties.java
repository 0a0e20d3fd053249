package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Locale;

import dev.ratelimit.address.AddressHeader;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whose address is the client's.
 *
 * @param source Who finds the address: the limiter itself, from the connection and what
 * trusted proxies say, or the container and Spring's filters, as they are configured.
 * @param trustedProxies Addresses and networks of the proxies in front, such as
 * 10.0.0.0/8.
 * @param trustedHops Number of proxies in front, from 1 to 32, where their addresses are
 * not known.
 * @param header Header in which the proxies say who came before them: X-Forwarded-For,
 * Forwarded, or one that holds a single address. By default, X-Forwarded-For.
 * @param ipv6Prefix Leading bits of an IPv6 address by which clients are told apart, from
 * 48 to 128.
 */
record ClientAddressProperties(@DefaultValue("own") Source source, @DefaultValue List<String> trustedProxies,
		@Nullable Integer trustedHops, @Nullable String header, @DefaultValue("64") int ipv6Prefix) {

	private static final String PREFIX = "ratelimit.client-address.";

	private static final int SHORTEST = 48;

	private static final int LONGEST = 128;

	public ClientAddressProperties {
		trustedProxies = List.copyOf(trustedProxies);
		require(ipv6Prefix >= SHORTEST && ipv6Prefix <= LONGEST, "ipv6-prefix", ipv6Prefix, "it must be from 48 to 128",
				"Set how many bits tell clients apart, such as 64.");
		require(trustedHops == null || (trustedHops >= 1 && trustedHops <= ClientAddresses.MOST_HOPS), "trusted-hops",
				String.valueOf(trustedHops), "it must be from 1 to 32", "Count the proxies in front, or leave it out.");
		require(trustedHops == null || trustedProxies.isEmpty(), "trusted-hops", String.valueOf(trustedHops),
				"'trusted-proxies' is set too", "Keep one of them.");
		boolean trusts = trustedHops != null || !trustedProxies.isEmpty();
		require(header == null || trusts, "header", String.valueOf(header),
				"nobody is trusted to write it, so it would never be read",
				"Set 'ratelimit.client-address.trusted-proxies' or 'trusted-hops' as well, or remove it.");
		require(header == null || isName(header), "header", String.valueOf(header), "it is not the name of a header",
				"Write a name such as X-Forwarded-For, Forwarded or CF-Connecting-IP.");
		require(source == Source.OWN || !trusts, "source", source.name().toLowerCase(Locale.ROOT),
				"'trusted-proxies' and 'trusted-hops' are for the limiter's own search",
				"Remove them, or leave 'source' out.");
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
		AddressHeader told = (this.header != null) ? AddressHeader.of(this.header) : AddressHeader.X_FORWARDED_FOR;
		if (this.trustedHops != null) {
			require(told.kind() != AddressHeader.Kind.SINGLE || this.trustedHops == 1, "trusted-hops", this.trustedHops,
					"'" + told.name() + "' holds a single address, so there is nothing to count", "Set it to 1.");
			return addresses.behind(this.trustedHops, told);
		}
		return (this.trustedProxies.isEmpty()) ? addresses : addresses.behind(proxies(), told);
	}

	private IpNetworks proxies() {
		try {
			return IpNetworks.of(this.trustedProxies);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(PREFIX + "trusted-proxies", this.trustedProxies.toString(),
					String.valueOf(ex.getMessage()), "Write addresses and networks, such as 10.0.0.0/8 and fd00::/8.");
		}
	}

	boolean trustsNobody() {
		return this.source == Source.OWN && this.trustedHops == null && this.trustedProxies.isEmpty();
	}

	/**
	 * Who finds clients' addresses.
	 */
	public enum Source {

		/** The limiter, from the connection and what trusted proxies say. */
		OWN,
		/** The container and Spring's filters, as they are configured. */
		CONTAINER

	}

}
