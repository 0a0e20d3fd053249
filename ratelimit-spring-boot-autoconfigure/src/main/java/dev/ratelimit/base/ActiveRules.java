package dev.ratelimit.base;

import java.util.List;

/**
 * Internal: the active rules, with the paths of the handlers that reference them.
 * Immutable.
 *
 * @param rules all rules
 */
public record ActiveRules(List<RuleReach> rules) {

	/** No rules yet. */
	public static final ActiveRules NONE = new ActiveRules(List.of());

	public ActiveRules {
		rules = List.copyOf(rules);
	}

	/**
	 * A reference to the currently active rules. Thread-safe.
	 */
	public static final class Reference {

		private volatile ActiveRules current = NONE;

		/**
		 * Return the active rules.
		 * @return the rules; the same object until other rules become active
		 */
		public ActiveRules get() {
			return this.current;
		}

		/**
		 * Replace the active rules.
		 * @param next the rules
		 */
		public void set(ActiveRules next) {
			this.current = next;
		}

	}

}
