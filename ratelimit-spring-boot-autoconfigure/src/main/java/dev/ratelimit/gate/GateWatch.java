package dev.ratelimit.gate;

import dev.ratelimit.Decision;

/**
 * Internal: is told what is seen at a gate. Thread-safe.
 */
public interface GateWatch {

	/** Nobody watches. */
	GateWatch NONE = new GateWatch() {
	};

	/** A call met a rule that has decided it already. */
	default void sawTwice() {
	}

	/**
	 * A call was decided.
	 * @param decision the decision
	 */
	default void decided(Decision decision) {
	}

}
