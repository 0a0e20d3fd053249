package dev.ratelimit.autoconfigure;

import java.util.Optional;
import java.util.function.BooleanSupplier;

import dev.ratelimit.base.WrittenCondition;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

import org.springframework.core.env.Environment;

/**
 * Rejects rules whose bans would not be enforced, and rules by which a client could have
 * others banned, because it can choose the address that it is known by.
 *
 * @param enabled whether clients can be banned
 * @param supported whether something keeps bans
 * @param forgeable why clients can choose their address, if they can
 */
record BanChecks(boolean enabled, BooleanSupplier supported, Optional<String> forgeable) {

	/**
	 * Whether clients can be banned, marked, or paused: if that is enabled, a rule bans,
	 * or a quota of HTTP clients may pause its rule.
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
