package dev.ratelimit.gate;

import dev.ratelimit.Decision;

/**
 * Internal: one call that an observer has seen enter the gate. Receives the decision
 * once.
 */
@FunctionalInterface
public interface ObservedPassage {

	/** Observes nothing. */
	ObservedPassage NONE = (decision) -> {
	};

	/**
	 * The call was decided.
	 * @param decision the decision of this phase
	 */
	void decided(Decision decision);

}
