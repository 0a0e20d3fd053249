package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.PathCovers;
import dev.ratelimit.rule.Rule;

/**
 * Finds rules that never decide, because a more general one charges the same clients for
 * the same requests and is at least as strict. Whatever may make a difference keeps a
 * rule from being found.
 */
final class RedundantRuleCheck {

	private RedundantRuleCheck() {
	}

	static List<Finding> in(List<RuleReach> rules) {
		List<RuleReach> enforced = rules.stream().filter((reach) -> enforces(reach.rule())).toList();
		PathCovers covers = covers(enforced);
		List<Finding> findings = new ArrayList<>();
		for (RuleReach specific : enforced) {
			specific.paths()
				.stream()
				.limit(1)
				.flatMap((path) -> covers.of(path).stream())
				.map(enforced::get)
				.filter((general) -> shadows(general, specific) && !isEarlierOfTwins(general, specific))
				.findFirst()
				.ifPresent((general) -> findings.add(finding(general, specific)));
		}
		return findings;
	}

	// What covers all paths of another rule covers the first one: few rules are compared.
	private static PathCovers covers(List<RuleReach> rules) {
		PathCovers covers = new PathCovers();
		for (int i = 0; i < rules.size(); i++) {
			for (String pattern : rules.get(i).rule().match().paths()) {
				covers.add(pattern, i);
			}
		}
		return covers;
	}

	private static Finding finding(RuleReach general, RuleReach specific) {
		return new Finding(FindingCode.SHADOWED_RULE, "ratelimit.rules." + specific.rule().id(),
				"The rule '" + general.rule().id() + "' (" + general.rule().limits()
						+ ") charges the same key for all of its requests and is at least as strict as "
						+ specific.rule().limits() + ".");
	}

	// Of two that shadow each other, the later one is found.
	private static boolean isEarlierOfTwins(RuleReach general, RuleReach specific) {
		return shadows(specific, general) && general.rule().id().compareTo(specific.rule().id()) > 0;
	}

	private static boolean shadows(RuleReach general, RuleReach specific) {
		return general != specific && countsAlike(general.rule(), specific.rule()) && general.covers(specific)
				&& specific.rule()
					.limits()
					.stream()
					.allMatch((limit) -> general.rule().limits().stream().anyMatch((one) -> isAsStrict(one, limit)));
	}

	private static boolean enforces(Rule rule) {
		return rule.enforcesForAll() && rule.numbers().quota().kind() == LimitSet.Kind.LIMITED
				&& rule.numbers().plans().isEmpty() && rule.numbers().overrides().isEmpty()
				&& rule.reaction().replaces().isEmpty() && rule.numbers().bucket().isEmpty()
				&& !rule.reaction().idempotency()
				&& rule.key().parts().stream().noneMatch((part) -> isOfThePattern(part.kind()));
	}

	// The same value is another key under another pattern.
	private static boolean isOfThePattern(KeyPart.Kind kind) {
		return kind == KeyPart.Kind.ROUTE || kind == KeyPart.Kind.PATH;
	}

	private static boolean countsAlike(Rule general, Rule specific) {
		return general.key().equals(specific.key()) && general.access().equals(specific.access())
				&& general.reaction().equals(specific.reaction())
				&& general.numbers().cost().equals(specific.numbers().cost()) && !general.numbers().cost().estimated()
				&& general.numbers().consistency() == specific.numbers().consistency();
	}

	private static boolean isAsStrict(Limit general, Limit specific) {
		if (!general.algorithm().equals(specific.algorithm()) || !general.calendar().equals(specific.calendar())) {
			return false;
		}
		boolean less = general.burst() <= specific.burst() && general.credit() <= specific.credit();
		return (isSteady(Algorithms.of(general))) ? less && isAsSlow(general, specific)
				: less && general.period().equals(specific.period()) && general.quantity() <= specific.quantity();
	}

	// In any time, such an algorithm admits the burst and what the rate gives.
	private static boolean isSteady(Algorithm algorithm) {
		return algorithm.refillsEvenly() && !algorithm.holdsRequests();
	}

	private static boolean isAsSlow(Limit general, Limit specific) {
		return (double) general.quantity() / general.period().toMillis() <= (double) specific.quantity()
				/ specific.period().toMillis();
	}

}
