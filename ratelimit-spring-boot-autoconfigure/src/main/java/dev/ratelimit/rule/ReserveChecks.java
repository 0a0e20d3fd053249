package dev.ratelimit.rule;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Limit;

/**
 * Rejects reserves that leave nothing to a level, or that nothing could take.
 *
 * @param numbers what a request charges, with a reserve
 * @param checks names the culprit
 */
record ReserveChecks(RuleNumbers numbers, Checks checks) {

	private static final String PROPERTY = ".reserve";

	void check(Reaction reaction, Rule.Match match) {
		require(this.numbers.all().anyMatch(Limit::concurrent), "only slots of concurrent requests can be reserved",
				"Use an algorithm that limits concurrent requests, or remove 'reserve'.");
		this.numbers.all().filter(Limit::concurrent).forEach(this::check);
		require(!match.programmatic(), "only requests have a level, and code calls this rule",
				"Remove 'reserve', or let the rule have 'paths'.");
		require(reaction.waiting().isEmpty(), "important requests would wait in one line behind the others",
				"Remove 'wait' or 'reserve'.");
	}

	private void check(Limit limit) {
		long left = this.numbers.reserve().capacity(Level.LOW, limit.quantity());
		require(left >= this.numbers.cost().units(),
				"of " + limit.quantity() + " slots, " + Math.max(0, left)
						+ " are left to the lowest level, so all its requests would be rejected",
				"Decrease the reserves so that together they are below the limit, or increase the limit.");
	}

	private void require(boolean condition, String reason, String action) {
		this.checks.require(condition, PROPERTY, this.numbers.reserve().toString(), reason, action);
	}

}
