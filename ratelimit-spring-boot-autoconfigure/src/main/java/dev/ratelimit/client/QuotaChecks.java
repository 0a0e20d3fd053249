package dev.ratelimit.client;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.ShownText;

/**
 * Checks that each quota of the application's HTTP clients has a rule that it can charge:
 * at startup, and for each set of rules that live rules make active.
 */
final class QuotaChecks {

	private QuotaChecks() {
	}

	static void check(List<Quota> quotas, RuleSet rules) {
		for (Quota quota : quotas) {
			Rule rule = Optional.ofNullable(rules.rules().get(quota.rule()))
				.orElseThrow(() -> invalid(quota, ShownText.unknownRule(quota.rule()),
						"Add 'ratelimit.rules." + quota.rule() + "' with 'programmatic: true' and 'key: global'."));
			require(rule.key().parts().stream().allMatch((part) -> part.kind() == KeyPart.Kind.GLOBAL), quota,
					"the key of the rule is not 'global'", "Set 'key: global' on the rule.");
			require(rule.limits().stream().noneMatch((limit) -> limit.concurrent()), quota,
					"the rule limits concurrent requests, and quotas are never released", "Use another algorithm.");
			require(!rule.delaysRequests(), quota,
					"a leaky bucket delays requests after they are allowed, and quotas do not",
					"Use the default algorithm with 'burst: 1', and set 'max-wait' of the quota.");
		}
	}

	static void requireNoPauses(List<Quota> quotas) {
		quotas.stream().filter((quota) -> !quota.maxPause().isZero()).findFirst().ifPresent((quota) -> {
			throw new InvalidRuleException("ratelimit.client.quotas." + quota.name() + ".max-pause",
					quota.maxPause().toString(), "a rule cannot be paused while 'ratelimit.bans.enabled' is false",
					"Set it to 0, or remove 'ratelimit.bans.enabled'.");
		});
	}

	private static void require(boolean condition, Quota quota, String reason, String action) {
		if (!condition) {
			throw invalid(quota, reason, action);
		}
	}

	private static InvalidRuleException invalid(Quota quota, String reason, String action) {
		return new InvalidRuleException("ratelimit.client.quotas." + quota.name() + ".rule", quota.rule(), reason,
				action);
	}

}
