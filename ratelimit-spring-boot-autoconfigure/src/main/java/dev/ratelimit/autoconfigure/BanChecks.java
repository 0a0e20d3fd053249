package dev.ratelimit.autoconfigure;

import java.util.Optional;
import java.util.function.BooleanSupplier;

import dev.ratelimit.base.WrittenCondition;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

import org.springframework.core.env.Environment;

/**
 * Rejects rules whose bans would not be enforced. Also rejects rules that ban by address
 * if clients can choose their address, because a client could then have other clients
 * banned.
 *
 * @param enabled whether clients can be banned
 * @param supported whether the application has a store of bans
 * @param forgeable the reason for which clients can choose their address; empty if they
 * cannot
 */
record BanChecks(boolean enabled, BooleanSupplier supported, Optional<String> forgeable) {

	/**
	 * Return whether clients can be banned, marked, or paused: if bans are enabled, if a
	 * rule bans, or if a quota of HTTP clients may pause its rule.
	 * @param environment the properties
	 * @return whether the application has bans
	 */
	static boolean enabled(Environment environment) {
		Boolean enabled = environment.getProperty("ratelimit.bans.enabled", Boolean.class);
		return (enabled != null) ? enabled : WrittenCondition.isWritten(environment, "ratelimit.client.quotas.*")
				|| WrittenCondition.isWritten(environment, "ratelimit.rules.*.ban");
	}

	void check(RuleSet set) {
		set.rules().values().forEach(this::check);
	}

	private void check(Rule rule) {
		if (rule.reaction().excess().ban().isEmpty()) {
			return;
		}
		if (!this.enabled) {
			throw new InvalidRuleException(rule.location() + ".ban", "", "bans are disabled",
					"Set 'ratelimit.bans.enabled' to true, or remove 'ban'.");
		}
		if (!this.supported.getAsBoolean()) {
			throw new InvalidRuleException(rule.location() + ".ban", "", "this application cannot ban clients",
					"Do not exclude 'RateLimitBanAutoConfiguration', or remove 'ban'.");
		}
		if (rule.reaction().excess().bansAddresses(rule.key())) {
			this.forgeable.ifPresent((reason) -> {
				throw new InvalidRuleException(rule.location() + ".ban", "key: " + rule.key().parts(),
						reason + ", so clients could choose an address, and have others banned",
						"Set 'ratelimit.client-address.trusted-proxies' to the addresses of the proxies, or use the key"
								+ " 'user'.");
			});
		}
	}

}
