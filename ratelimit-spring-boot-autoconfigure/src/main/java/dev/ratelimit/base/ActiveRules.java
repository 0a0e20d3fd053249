package dev.ratelimit.base;

import java.util.List;

/**
 * Internal: the rules that have become active, with the paths of the handlers that name
 * them. Immutable.
 *
 * @param rules all rules
 * @param phased whether an authentication lies between the phases
 */
public record ActiveRules(List<RuleReach> rules, boolean phased) {

	/** No rules yet. */
	public static final ActiveRules NONE = new ActiveRules(List.of(), false);

	public ActiveRules {
		rules = List.copyOf(rules);
	}

	/**
	 * The rules that are active at present. Thread-safe.
	 */
	public static final class Reference {

		private volatile ActiveRules current = NONE;

		/**
		 * The active rules.
		 * @return the rules, the same until others become active
		 */
		public ActiveRules get() {
			return this.current;
		}

		/**
		 * Other rules become active.
		 * @param next the rules
		 */
		public void set(ActiveRules next) {
			this.current = next;
		}

	}

}
