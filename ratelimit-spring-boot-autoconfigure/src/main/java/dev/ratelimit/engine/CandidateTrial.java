package dev.ratelimit.engine;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

import dev.ratelimit.Decision;
import dev.ratelimit.RuleCharge;

/**
 * Internal: compares decisions of the active rules with those of a candidate. A candidate
 * is an edition that is never active. Thread-safe.
 */
public interface CandidateTrial {

	/**
	 * The edition that the candidate's rules are compared with.
	 * @return the edition
	 */
	Edition base();

	/**
	 * The candidate's rules.
	 * @return the edition, which is never active
	 */
	Edition edition();

	/**
	 * Whether the candidate changes a rule.
	 * @param ruleId the rule
	 * @return whether it is compared
	 */
	boolean changes(String ruleId);

	/**
	 * Whether the candidate changes one of some rules. For most requests it does not, so
	 * this check is their only cost.
	 * @param charges the rules
	 * @return whether one of them is compared
	 */
	default boolean changesAny(Collection<RuleCharge> charges) {
		for (RuleCharge charge : charges) {
			if (changes(charge.ruleId())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Compare decisions on a request. Does not block; a failure is counted.
	 * @param expected the changed rules that the candidate applies to the request
	 * @param active the decision of the active rules
	 * @param from the number of its verdicts from earlier phases
	 * @param comparable the rules that can be compared
	 */
	void compare(List<AppliedRule> expected, Decision active, int from, Predicate<String> comparable);

	/**
	 * Count a request that cannot be compared.
	 * @param failure the reason
	 */
	void failed(RuntimeException failure);

}
