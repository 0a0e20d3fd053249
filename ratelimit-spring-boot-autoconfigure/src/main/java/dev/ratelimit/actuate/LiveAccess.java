package dev.ratelimit.actuate;

import java.security.Principal;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

import dev.ratelimit.base.EditForbiddenException;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.base.RulePermit;

/**
 * Internal: the rights to change rules and switches. Authentication alone grants no
 * right.
 *
 * @param write the authority that permits all changes
 * @param operate the authority that permits to set switches
 * @param authorities reads the authorities of a principal
 * @param unguarded whether all users may change all rules, because users are not
 * authenticated and the application is configured to permit it
 * @param namespaces the rules that teams may change
 */
public record LiveAccess(String write, String operate, Function<Optional<Principal>, Collection<String>> authorities,
		boolean unguarded, Namespaces namespaces) {

	/**
	 * The rules that a principal may change, or switch.
	 * @param principal the principal
	 * @param operated whether the right to set switches is enough
	 * @return the permit
	 */
	public RulePermit permit(Optional<Principal> principal, boolean operated) {
		if ((operated) ? mayOperate(principal) : mayWrite(principal)) {
			return RulePermit.ALL;
		}
		return RulePermit.of(this.namespaces, this.authorities.apply(principal),
				(operated) ? this.operate + " or " + this.write : this.write);
	}

	boolean mayWrite(Optional<Principal> principal) {
		return has(principal, this.write);
	}

	boolean mayOperate(Optional<Principal> principal) {
		return has(principal, this.operate) || mayWrite(principal);
	}

	/**
	 * Require the right to change rules.
	 * @param principal the user
	 * @throws EditForbiddenException if the principal does not have the right
	 */
	void requireWrite(Optional<Principal> principal) {
		if (!mayWrite(principal)) {
			throw new EditForbiddenException("changes need the authority " + this.write);
		}
	}

	/**
	 * Require the right to set switches.
	 * @param principal the user
	 * @throws EditForbiddenException if the principal does not have the right
	 */
	void requireOperate(Optional<Principal> principal) {
		if (!mayOperate(principal)) {
			throw new EditForbiddenException(
					"switches, bans, releases, and resets need the authority " + this.operate + " or " + this.write);
		}
	}

	/**
	 * Require the right to reset the buckets of a rule, which is the right to switch the
	 * rule.
	 * @param principal the principal
	 * @param rule the id of the rule
	 * @throws EditForbiddenException if the principal does not have the right
	 */
	void requireReset(Optional<Principal> principal, String rule) {
		RulePermit permit = permit(principal, true);
		if (!permit.some()) {
			permit.requireAll("resets");
		}
		permit.requireRule(rule);
	}

	private boolean has(Optional<Principal> principal, String authority) {
		return this.unguarded || this.authorities.apply(principal).contains(authority);
	}

}
