package dev.ratelimit.waiting;

/**
 * Receives the waits that have ended. Must not block. Thread-safe.
 */
@FunctionalInterface
interface WaitListener {

	/** Ignores all waits. */
	WaitListener NONE = (wait) -> {
	};

	/**
	 * A wait has ended.
	 * @param wait the wait
	 */
	void ended(EndedWait wait);

}
