package dev.ratelimit.gate;

/**
 * Internal: makes the observers of a gate, one for each phase.
 */
@FunctionalInterface
public interface PassageObservers {

	/** The phase of calls of beans' methods, which no authentication divides. */
	String METHOD = "method";

	/** Observes nothing. */
	PassageObservers NONE = (phase) -> PassageObserver.NONE;

	/**
	 * The observer of a phase.
	 * @param phase {@code early}, {@code late} or {@link #METHOD}
	 * @return the observer
	 */
	PassageObserver of(String phase);

}
