package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.RuleCharge;
import dev.ratelimit.RuleMode;
import dev.ratelimit.store.Bucket;

/**
 * The rules of an edition, as code requests them by their ids.
 *
 * @param edition the edition
 */
record RequestedRules(Edition edition, Sanctions sanctions) {

	List<AppliedRule> applied(Collection<RuleCharge> charges) {
		List<AppliedRule> applied = new ArrayList<>(charges.size());
		Set<String> seen = new HashSet<>();
		for (RuleCharge charge : charges) {
			CompiledRule rule = required(charge.ruleId());
			if (!seen.add(charge.ruleId())) {
				throw new IllegalArgumentException("rule '" + charge.ruleId() + "' is charged twice");
			}
			if (rule.rule().reaction().mode() != RuleMode.OFF) {
				String subject = Subjects.of(charge.subject());
				applied.add(
						applied(rule.of(subject), subject, charge.cost().orElse(rule.rule().numbers().cost().units())));
			}
		}
		return applied;
	}

	private AppliedRule applied(CompiledRule rule, String subject, long cost) {
		Sanction sanction = this.sanctions.find(rule.rule().id(), subject);
		if (sanction == null) {
			return AppliedRule.of(rule, subject, cost);
		}
		AppliedRule denial = this.sanctions.denial(rule, subject, sanction);
		return (denial != null) ? denial : AppliedRule.of(this.sanctions.marking(rule, sanction), subject, cost);
	}

	List<Bucket> buckets(String ruleId, String subject) {
		return required(ruleId).buckets(Subjects.of(subject));
	}

	CompiledRule required(String ruleId) {
		return this.edition.rule(ruleId)
			.orElseThrow(() -> new IllegalArgumentException(
					"there is no rule '" + ruleId + "'; the rules are " + this.edition.rules().rules().keySet()));
	}

}
