package dev.ratelimit.web;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ratelimit.RequestView;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.rule.InvalidRuleException;

/**
 * Whom a rule does not limit, and whom it refuses, made ready for requests. Refusals go
 * first. Immutable.
 *
 * @param allow who is not limited, by address
 * @param deny who is refused, by address
 * @param bypass who is not limited, by authorities
 */
record AccessList(IpNetworks allow, IpNetworks deny, Predicate<RequestView> bypass) {

	private static final Predicate<RequestView> NOBODY = (request) -> false;

	/** Everybody is limited alike. */
	static final AccessList EQUAL = new AccessList(IpNetworks.NONE, IpNetworks.NONE, NOBODY);

	static AccessList of(IpNetworks allow, IpNetworks deny, Predicate<RequestView> bypass) {
		boolean equal = allow.isEmpty() && deny.isEmpty() && bypass == NOBODY;
		return (equal) ? EQUAL : new AccessList(allow, deny, bypass);
	}

	/**
	 * Who holds at least one of some authorities.
	 * @param names the authorities
	 * @param authorities reads those of a caller
	 * @return tells them from others
	 */
	static Predicate<RequestView> holders(Stream<String> names, Authorities authorities) {
		Set<String> sought = Set.copyOf(names.toList());
		return (sought.isEmpty()) ? NOBODY : (request) -> authorities.of(request).stream().anyMatch(sought::contains);
	}

	/**
	 * The networks of a property.
	 * @param property the property to name when one of them is none
	 * @param texts addresses and networks
	 * @return the networks
	 */
	static IpNetworks networks(String property, List<String> texts) {
		try {
			return IpNetworks.of(texts);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(property, texts.toString(), String.valueOf(ex.getMessage()),
					"Write addresses and networks, such as 203.0.113.7, 10.0.0.0/8 and 2001:db8::/32.");
		}
	}

	/**
	 * What the lists say of a caller.
	 * @param request the caller's request
	 * @return how it stands with the rule
	 */
	Standing of(GateRequest request) {
		if (this == EQUAL) {
			return Standing.LIMITED;
		}
		boolean byAddress = !this.deny.isEmpty() || !this.allow.isEmpty();
		IpAddress address = (byAddress) ? request.client().address() : IpAddress.UNKNOWN;
		if (this.deny.contains(address)) {
			return Standing.BANNED;
		}
		return (this.allow.contains(address) || this.bypass.test(request)) ? Standing.BYPASSED : Standing.LIMITED;
	}

	/**
	 * How a caller stands with a rule.
	 */
	enum Standing {

		/** The rule limits it. */
		LIMITED,
		/** The rule lets it pass. */
		BYPASSED,
		/** The rule refuses it. */
		BANNED

	}

}
