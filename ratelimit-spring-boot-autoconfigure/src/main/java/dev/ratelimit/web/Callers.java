package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ratelimit.Phase;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.base.Authorities;
import dev.ratelimit.base.Claims;
import dev.ratelimit.gate.AccessList;
import dev.ratelimit.rule.Access;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;

/**
 * Internal: identifies clients, and finds those that are exempt or rejected under all
 * rules. Immutable.
 *
 * @param addresses finds clients' addresses
 * @param access the clients that no rule limits, or that are always rejected
 * @param authorities reads the authorities of clients
 * @param claims reads the claims of clients, if they can have any
 */
public record Callers(ClientAddresses addresses, Access access, Authorities authorities, Optional<Claims> claims) {

	/** The address is the connection's, and all clients are limited alike. */
	public static final Callers EQUAL = new Callers(ClientAddresses.OF_PEER, Access.EQUAL, Authorities.NONE,
			Optional.empty());

	IpNetworks denied() {
		return AccessList.networks("ratelimit.deny", this.access.deny());
	}

	/**
	 * The lists of a rule, and with them those of all rules. Authorities are known to
	 * late rules only.
	 */
	AccessList<GateRequest> of(Rule rule, Phase phase) {
		Access own = rule.access();
		String property = rule.location();
		AccessList.networks(property + ".allow", own.allow());
		requireAuthorities(property, own.bypassAuthorities());
		List<String> forAllRules = (phase == Phase.LATE) ? this.access.bypassAuthorities() : List.of();
		return AccessList.of(AccessList.networks("ratelimit.allow", joined(this.access.allow(), own.allow())),
				AccessList.networks(property + ".deny", own.deny()),
				holders(Stream.concat(forAllRules.stream(), own.bypassAuthorities().stream()), this.authorities));
	}

	// Clients would be limited that the rule means to leave out, live rules included.
	private void requireAuthorities(String property, List<String> names) {
		if (this.authorities == Authorities.NONE && !names.isEmpty()) {
			throw new InvalidRuleException(property + ".bypass-authorities", names.toString(),
					"Spring Security is not on the classpath",
					"Add 'spring-boot-starter-security', or remove the property.");
		}
	}

	private static Predicate<GateRequest> holders(Stream<String> names, Authorities authorities) {
		Set<String> sought = Set.copyOf(names.toList());
		return (sought.isEmpty()) ? AccessList.none()
				: (request) -> authorities.of(request).stream().anyMatch(sought::contains);
	}

	private static List<String> joined(List<String> first, List<String> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

}
