package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.RuleMode;
import dev.ratelimit.store.Bucket;

/**
 * The rules of an edition, as code requests them by their ids.
 *
 * @param edition the edition
 */
record RequestedRules(Edition edition) {

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
				applied.add(AppliedRule.of(rule.of(subject), subject,
						charge.cost().orElse(rule.rule().numbers().cost().units())));
			}
		}
		return applied;
	}

	/**
	 * Compare a decision with that of a candidate.
	 * @param trial the candidate
	 * @param charges what code requests
	 * @param decision the decision of the active rules
	 * @return the decision
	 */
	static CompletableFuture<Decision> compared(CandidateTrial trial, Collection<RuleCharge> charges,
			CompletableFuture<Decision> decision) {
		List<AppliedRule> expected = new RequestedRules(trial.edition()).applied(charges.stream()
			.filter((charge) -> trial.changes(charge.ruleId()))
			.filter((charge) -> trial.edition().rule(charge.ruleId()).isPresent())
			.toList());
		return decision.thenApply((made) -> {
			trial.compare(expected, made, 0, (id) -> true);
			return made;
		});
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
