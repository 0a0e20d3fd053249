package dev.ratelimit.store.guard;

/**
 * Whether most of the latest calls were answered with an error. Keeps nothing, and costs
 * next to nothing, until there is one. Thread-safe.
 */
final class ErrorWindow {

	/** As many as the breaker's window holds. */
	private static final int WINDOW = BreakerSettings.WINDOW;

	private static final int LEAST_CALLS = BreakerSettings.LEAST_CALLS;

	/** A bit for each of the latest calls, set where it was wrong; newest lowest. */
	private volatile int bits;

	/** How many calls there were since the first that was wrong. */
	private int calls;

	// Whether most are wrong now.
	synchronized boolean recordFailure() {
		note(1);
		return isMajority();
	}

	// Whether most were wrong before.
	boolean recordSuccess() {
		return this.bits != 0 && noteRight();
	}

	private synchronized boolean noteRight() {
		boolean before = isMajority();
		note(0);
		return before;
	}

	synchronized boolean isMajority() {
		return this.calls >= LEAST_CALLS && Integer.bitCount(this.bits) * 2 > Math.min(WINDOW, this.calls);
	}

	private void note(int bit) {
		this.bits = ((this.bits << 1) | bit) & ((1 << WINDOW) - 1);
		this.calls = (this.bits == 0) ? 0 : this.calls + 1;
	}

}
