package dev.ratelimit.waiting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RuleMode;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.Sanction;

/**
 * The rules that apply to a request that waits, once other rules are active.
 */
final class LineRefresh {

	private LineRefresh() {
	}

	/**
	 * The rules as they are now.
	 * @param applied the rules so far
	 * @param editions the editions
	 * @return those that are still there; a rule with another key stays as it was, since
	 * the request's subject is not one of the new key
	 */
	static List<AppliedRule> in(List<AppliedRule> applied, Editions editions) {
		List<AppliedRule> refreshed = new ArrayList<>(applied.size());
		for (AppliedRule one : applied) {
			Optional<CompiledRule> next = editions.current().rule(one.rule().rule().id());
			next.filter((rule) -> rule.rule().reaction().mode() != RuleMode.OFF)
				.ifPresent((rule) -> refreshed.add(in(one, rule, editions)));
		}
		return refreshed;
	}

	private static AppliedRule in(AppliedRule before, CompiledRule rule, Editions editions) {
		if (before.exempt() || !before.rule().rule().key().equals(rule.rule().key())) {
			return before;
		}
		CompiledRule next = rule.of(before.subject());
		Sanction sanction = editions.sanctions().find(rule.rule().id(), before.subject());
		if (sanction == null) {
			return (before.rule() == next) ? before
					: new AppliedRule(next, limits(before, next), before.subject(), before.cost());
		}
		AppliedRule denial = sanction.denial(next, before.subject(), editions.time().nanos());
		return (denial != null) ? denial
				: new AppliedRule(sanction.marking(next), limits(before, next), before.subject(), before.cost());
	}

	private static CompiledLimits limits(AppliedRule before, CompiledRule next) {
		if (next.limitsByPlan(before.subject())) {
			for (Map.Entry<String, CompiledLimits> plan : before.rule().plans().entrySet()) {
				if (plan.getValue() == before.tier()) {
					return next.limits(before.subject(), Optional.of(plan.getKey()));
				}
			}
		}
		return next.limits(before.subject());
	}

}
