package dev.ratelimit.gate;

import java.util.List;
import java.util.function.Predicate;

import dev.ratelimit.address.IpAddress;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.rule.InvalidRuleException;

/**
 * Internal: the clients that a rule does not limit or always rejects, prepared for
 * requests. Rejections take precedence. Immutable.
 *
 * @param <C> the calls of a front
 * @param allow addresses that are not limited
 * @param deny addresses that are rejected
 * @param bypass authorities that are not limited
 */
public record AccessList<C extends Call>(IpNetworks allow, IpNetworks deny, Predicate<C> bypass) {

	private static final Predicate<Object> NONE = (call) -> false;

	private static final AccessList<?> EQUAL = new AccessList<>(IpNetworks.NONE, IpNetworks.NONE, none());

	/**
	 * Lists that limit all clients alike.
	 * @param <C> the calls of a front
	 * @return the lists
	 */
	@SuppressWarnings("unchecked")
	public static <C extends Call> AccessList<C> equal() {
		return (AccessList<C>) EQUAL;
	}

	/**
	 * A predicate for rules that no client bypasses.
	 * @param <C> the calls of a front
	 * @return a predicate that is never true
	 */
	@SuppressWarnings("unchecked")
	public static <C extends Call> Predicate<C> none() {
		return (Predicate<C>) (Predicate<?>) NONE;
	}

	/**
	 * Create lists.
	 * @param <C> the calls of a front
	 * @param allow clients that are not limited, by address
	 * @param deny clients that are rejected, by address
	 * @param bypass clients that are not limited, by authorities
	 * @return the lists
	 */
	public static <C extends Call> AccessList<C> of(IpNetworks allow, IpNetworks deny, Predicate<C> bypass) {
		boolean equal = allow.isEmpty() && deny.isEmpty() && bypass == AccessList.<C>none();
		return (equal) ? equal() : new AccessList<>(allow, deny, bypass);
	}

	/**
	 * The networks of a property.
	 * @param property the property that messages on invalid texts name
	 * @param texts addresses and networks
	 * @return the networks
	 */
	public static IpNetworks networks(String property, List<String> texts) {
		try {
			return IpNetworks.of(texts);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(property, texts.toString(), String.valueOf(ex.getMessage()),
					"Use addresses and networks, such as 203.0.113.7, 10.0.0.0/8, and 2001:db8::/32.");
		}
	}

	/**
	 * Look up a client in the lists.
	 * @param call the client's call
	 * @return the treatment of the client by the rule
	 */
	public AccessDecision of(C call) {
		if (this == EQUAL) {
			return AccessDecision.LIMITED;
		}
		boolean byAddress = !this.deny.isEmpty() || !this.allow.isEmpty();
		IpAddress address = (byAddress) ? call.address() : IpAddress.UNKNOWN;
		if (this.deny.contains(address)) {
			return AccessDecision.DENIED;
		}
		return (this.allow.contains(address) || this.bypass.test(call)) ? AccessDecision.BYPASSED
				: AccessDecision.LIMITED;
	}

	/**
	 * The treatment of a client by a rule.
	 */
	public enum AccessDecision {

		/** The rule limits the client. */
		LIMITED,
		/** The rule does not limit the client. */
		BYPASSED,
		/** The rule rejects the client. */
		DENIED

	}

}
