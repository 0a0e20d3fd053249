package dev.ratelimit.rule;

import java.util.List;

/**
 * Internal: the rules that result from the layers. Immutable.
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
	 * A live entry without effect in this application. The other entries remain valid.
	 *
	 * @param id the rule's id
	 * @param location the location of the entry
	 * @param reason the reason, a clause
	 */
	public record NotApplied(String id, String location, String reason) {

		@Override
		public String toString() {
			return this.location + ": " + this.reason;
		}

	}

}
