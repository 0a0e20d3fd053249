package dev.ratelimit.rule;

import java.util.List;

/**
 * Internal: the rules that layers result in. Immutable.
 *
 * @param rules the rules, in the order of their ids
 * @param notApplied the live entries that have no effect here
 */
public record LayeredRules(List<Rule> rules, List<NotApplied> notApplied) {

	public LayeredRules {
		rules = List.copyOf(rules);
		notApplied = List.copyOf(notApplied);
	}

	/**
	 * A live entry without effect in this application, which is no reason to reject the
	 * others.
	 *
	 * @param id the rule's id
	 * @param location where the entry is written
	 * @param reason why it has no effect, a clause
	 */
	public record NotApplied(String id, String location, String reason) {

		@Override
		public String toString() {
			return this.location + ": " + this.reason;
		}

	}

}
