package dev.ratelimit.gate;

/**
 * Internal: is told what is seen of one rule. Thread-safe.
 */
public interface RuleWatch {

	/** Nobody watches. */
	RuleWatch NONE = new RuleWatch() {
	};

	/** A call matched the rule. */
	default void sawMatch() {
	}

	/** A call that matched lacked a part of the rule's key. */
	default void sawNoKey() {
	}

}
