package dev.ratelimit.engine;

import java.time.Duration;

import dev.ratelimit.store.Time;

/**
 * Repeats what a change of the rules does until it is fast. In a new process, it would
 * take ten times as long: classes are loaded, and code is interpreted.
 *
 * @param time the time
 */
record EditionWarmUp(Time time) {

	/** What a change of all rules may take, and less than all of them need when warm. */
	private static final long FAST_NANOS = Duration.ofMillis(30).toNanos();

	/** Of a machine that is slow, or busy with its start. */
	private static final long MOST_NANOS = Duration.ofSeconds(1).toNanos();

	private static final int LEAST_ROUNDS = 3;

	private static final int MOST_ROUNDS = 20;

	void run(Runnable change) {
		long startNanos = this.time.nanos();
		for (int round = 1; round <= MOST_ROUNDS; round++) {
			long beganNanos = this.time.nanos();
			change.run();
			long endNanos = this.time.nanos();
			boolean fast = endNanos - beganNanos <= FAST_NANOS;
			if (round >= LEAST_ROUNDS && (fast || endNanos - startNanos >= MOST_NANOS)) {
				return;
			}
		}
	}

}
