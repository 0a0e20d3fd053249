package dev.ratelimit.gate;

/**
 * Internal: observes calls on their way through a gate. Thread-safe.
 */
public interface PassageObserver {

	/** Observes nothing. */
	PassageObserver NONE = new PassageObserver() {
	};

	/** A call met a rule that has decided it already. */
	default void sawTwice() {
	}

	/**
	 * A call is about to be decided.
	 * @param call the call
	 * @param progress how far it has come
	 * @return receives the decision
	 */
	default ObservedPassage enter(Call call, RequestProgress progress) {
		return ObservedPassage.NONE;
	}

	/**
	 * Observe for others, too.
	 * @param other another observer
	 * @return an observer that calls both
	 */
	default PassageObserver and(PassageObserver other) {
		if (this == NONE || other == NONE) {
			return (this == NONE) ? other : this;
		}
		return new BothObservers(this, other);
	}

}
