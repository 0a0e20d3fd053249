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
 * @param access the clients that no rule limits, and the clients that are always rejected
 * @param authorities reads the authorities of clients
 * @param claims reads the claims of clients; empty if clients have no claims
 */
public record Callers(ClientAddresses addresses, Access access, Authorities authorities, Optional<Claims> claims) {

	/** Uses the address of the connection, and limits all clients alike. */
	public static final Callers EQUAL = new Callers(ClientAddresses.OF_PEER, Access.EQUAL, Authorities.NONE,
			Optional.empty());

	IpNetworks denied() {
		return AccessList.networks("ratelimit.deny", this.access.deny());
	}

	/**
	 * Return the lists of a rule, combined with those of all rules. Only late rules
	 * evaluate authorities.
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

	// Otherwise, clients that the rule exempts would be limited. This applies to live
	// rules, too.
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
