package dev.ratelimit.store.memory;

/**
 * How a thread waits for another that holds a bucket for a few nanoseconds.
 */
final class Backoff {

	/** After so many attempts, the processor is left to other threads. */
	private static final int PATIENCE = 3;

	/** A thread that looks more often takes the bucket out of the holder's cache. */
	private static final int FIRST_SPINS = 64;

	private Backoff() {
	}

	/**
	 * Wait before the next attempt, twice as long each time: a thread that has just held
	 * the bucket has it in its cache, and may as well continue with it.
	 * @param attempts how many attempts there were
	 */
	static void pause(int attempts) {
		if (attempts >= PATIENCE) {
			Thread.yield();
			return;
		}
		for (int spins = FIRST_SPINS << attempts; spins > 0; spins--) {
			Thread.onSpinWait();
		}
	}

}
