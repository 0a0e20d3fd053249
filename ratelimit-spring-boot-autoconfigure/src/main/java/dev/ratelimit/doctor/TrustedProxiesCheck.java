package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Finds lists of trusted proxies that contain all addresses.
 *
 * @param property the property that holds the list
 * @param networks addresses and networks, as configured
 */
record TrustedProxiesCheck(String property, List<String> networks) implements Check {

	TrustedProxiesCheck {
		networks = List.copyOf(networks);
	}

	@Override
	public List<Finding> findings() {
		List<String> allAddresses = this.networks.stream()
			.map(String::trim)
			.filter((network) -> network.matches(".*/0+"))
			.toList();
		return (allAddresses.isEmpty()) ? List.of() : List.of(new Finding(FindingCode.TRUSTED_ANY_PEER, this.property,
				allAddresses + " contains all addresses: clients can choose their address and bypass limits."));
	}

}
