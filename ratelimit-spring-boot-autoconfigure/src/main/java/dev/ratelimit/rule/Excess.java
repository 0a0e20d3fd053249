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
 * @param tarpit how rejections are delayed; empty if they are not
 * @param ban when the client is banned or marked; empty if it never is
 */
public record Excess(ExcessPolicy policy, Optional<Tarpit> tarpit, Optional<BanTerms> ban) {

	public Excess {
		Checks.UNPLACED.require(tarpit.isEmpty() || policy == ExcessPolicy.TARPIT, ".tarpit",
				tarpit.map(Tarpit::toString).orElse(""), "rejections are delayed only with 'on-excess: tarpit'",
				"Set 'on-excess: tarpit', or remove 'tarpit'.");
		tarpit.ifPresent(Tarpit::check);
		ban.ifPresent(BanTerms::check);
	}

	static Excess of(RuleOptions written) {
		ExcessPolicy policy = written.find(RuleOptions.ON_EXCESS).orElse(ExcessPolicy.REJECT);
		Optional<Tarpit> tarpit = written.find(RuleOptions.TARPIT);
		return new Excess(policy,
				(policy == ExcessPolicy.TARPIT) ? tarpit.or(() -> Optional.of(Tarpit.DEFAULT)) : tarpit,
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

	void check(boolean programmatic) {
		Checks.UNPLACED.require(this.tarpit.isEmpty() || !programmatic, ".on-excess", EnumNames.of(this.policy),
				"only responses to requests can be delayed, and code decides on its own",
				"Remove 'on-excess' or 'programmatic'.");
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
		return this.ban.isPresent() && (key.writes(MissingKeyPolicy.IP) || key.parts()
			.stream()
			.anyMatch((part) -> part.kind() == KeyPart.Kind.IP || part.kind() == KeyPart.Kind.CALLER));
	}

}
