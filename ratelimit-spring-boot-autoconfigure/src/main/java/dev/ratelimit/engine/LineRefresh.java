package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RuleMode;

/**
 * The rules that apply to a request that waits, once other rules are active.
 */
final class LineRefresh {

	private LineRefresh() {
	}

	/**
	 * The rules in an edition.
	 * @param applied the rules so far
	 * @param edition the active edition
	 * @return those that are still there; a rule with another key stays as it was, since
	 * the request's subject is not one of the new key
	 */
	static List<AppliedRule> in(List<AppliedRule> applied, Edition edition) {
		List<AppliedRule> refreshed = new ArrayList<>(applied.size());
		for (AppliedRule one : applied) {
			Optional<CompiledRule> next = edition.rule(one.rule().rule().id());
			next.filter((rule) -> rule.rule().reaction().mode() != RuleMode.OFF)
				.ifPresent((rule) -> refreshed.add(in(one, rule)));
		}
		return refreshed;
	}

	private static AppliedRule in(AppliedRule before, CompiledRule rule) {
		boolean same = before.rule() == rule || !before.rule().rule().key().equals(rule.rule().key());
		if (same || before.exempt()) {
			return before;
		}
		return new AppliedRule(rule.of(before.subject()), limits(before, rule), before.subject(), before.cost());
	}

	private static CompiledLimits limits(AppliedRule before, CompiledRule rule) {
		for (Map.Entry<String, CompiledLimits> plan : before.rule().plans().entrySet()) {
			if (plan.getValue() == before.tier()) {
				return rule.of(before.subject()).plan(plan.getKey()).orElse(rule.of(before.subject()).own());
			}
		}
		return rule.of(before.subject()).own();
	}

}
