package dev.ratelimit.store.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.RuleMode;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.rule.Rule;

/**
 * Internal: finds rules with {@code consistency: leased} that never lease any units.
 */
public final class IdleLeases {

	/** At most a twentieth of a bucket is ever leased. */
	private static final long MIN_CAPACITY = 20;

	private IdleLeases() {
	}

	public static List<Finding> in(List<RuleReach> rules) {
		List<Finding> findings = new ArrayList<>();
		for (RuleReach reach : rules) {
			Rule rule = reach.rule();
			if (rule.numbers().consistency() == Consistency.LEASED && rule.reaction().mode() == RuleMode.ENFORCE) {
				reason(rule).ifPresent((reason) -> findings
					.add(new Finding(FindingCode.IDLE_LEASE, rule.location() + ".consistency", reason)));
			}
		}
		return findings;
	}

	private static Optional<String> reason(Rule rule) {
		if (!rule.limits().isEmpty() && rule.limits().stream().noneMatch(IdleLeases::supportsLeasing)) {
			return Optional.of("None of its limits " + rule.limits()
					+ " supports leasing: each decision calls Redis, as with 'strict'.");
		}
		return (rule.reaction().idempotency())
				? Optional.of("Requests with an Idempotency-Key always call Redis, which stores the key.")
				: Optional.empty();
	}

	private static boolean supportsLeasing(Limit limit) {
		return limit.burst() >= MIN_CAPACITY && Algorithms.of(limit).calculator(limit).supportsLeasing();
	}

}
