package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;

/**
 * Internal: what a rule does with requests that exceed its limits, and with the clients
 * that send them. Immutable.
 *
 * @param policy what happens to the request
 * @param ban when the client is banned or marked; empty if it never is
 */
public record Excess(ExcessPolicy policy, Optional<BanTerms> ban) {

	public Excess {
		ban.ifPresent(BanTerms::check);
	}

	static Excess of(RuleOptions written) {
		return new Excess(written.find(RuleOptions.ON_EXCESS).orElse(ExcessPolicy.REJECT),
				written.find(RuleOptions.BAN));
	}

	/**
	 * Whether a request that exceeds the limits is rejected.
	 * @return whether it is rejected, at once or later
	 */
	public boolean rejects() {
		return this.policy != ExcessPolicy.DEGRADE;
	}

	void check(FailurePolicy failure, List<String> replaces) {
		Checks.UNPLACED.require(rejects() || failure != FailurePolicy.CLOSED, ".on-excess", EnumNames.of(this.policy),
				"'failure: closed' rejects requests, but this rule never does",
				"Remove 'failure: closed', or use a rule of its own for it.");
		Checks.UNPLACED.require(rejects() || replaces.isEmpty(), ".on-excess", EnumNames.of(this.policy),
				"a client above the limit would be rejected neither by this rule nor by the replaced rules",
				"Remove 'on-excess' or 'replaces'.");
	}

	// By a value that a client writes, everybody could have others banned.
	void check(RuleKey key) {
		Checks.UNPLACED.require(this.ban.isEmpty() || key.parts().stream().anyMatch(Excess::identifies), ".ban",
				"key: " + key.parts(), "everybody could send this key, and so have other clients banned",
				"Add 'ip', 'user', or 'caller' to 'key', such as [ip, form:username].");
	}

	private static boolean identifies(KeyPart part) {
		return switch (part.kind()) {
			case IP, USER, CALLER -> true;
			default -> false;
		};
	}

	/**
	 * Whether bans by this rule depend on the client's address.
	 * @param key the rule's key
	 * @return whether an address that a client could choose would have others banned
	 */
	public boolean bansAddresses(RuleKey key) {
		return this.ban.isPresent() && (key.onMissing() == MissingKeyPolicy.IP || key.parts()
			.stream()
			.anyMatch((part) -> part.kind() == KeyPart.Kind.IP || part.kind() == KeyPart.Kind.CALLER));
	}

}
