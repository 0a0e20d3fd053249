package dev.ratelimit.engine;

import java.time.Duration;

import dev.ratelimit.store.Time;

/**
 * Repeats what a change of the rules does until it is fast. In a new process, it would
 * take ten times as long: classes are loaded, and code is interpreted.
 *
 * @param time the time
 * @param fastNanos how long it may take at last
 */
record EditionWarmUp(Time time, long fastNanos) {

	/** Of a machine that is slow, or busy with its start. */
	private static final long MOST_NANOS = Duration.ofSeconds(1).toNanos();

	private static final int LEAST_ROUNDS = 3;

	private static final int MOST_ROUNDS = 20;

	/**
	 * Warms up changes of all rules.
	 * @param time the time
	 * @return ends when 1,000 rules would change in 30 ms
	 */
	static EditionWarmUp ofChanges(Time time) {
		return new EditionWarmUp(time, Duration.ofMillis(30).toNanos());
	}

	/**
	 * Warms up switches of all rules, which are used when something is wrong.
	 * @param time the time
	 * @return ends when 1,000 rules would switch in 5 ms
	 */
	static EditionWarmUp ofSwitches(Time time) {
		return new EditionWarmUp(time, Duration.ofMillis(5).toNanos());
	}

	void run(Runnable change) {
		long startNanos = this.time.nanos();
		for (int round = 1; round <= MOST_ROUNDS; round++) {
			long beganNanos = this.time.nanos();
			change.run();
			long endNanos = this.time.nanos();
			boolean fast = endNanos - beganNanos <= this.fastNanos;
			if (round >= LEAST_ROUNDS && (fast || endNanos - startNanos >= MOST_NANOS)) {
				return;
			}
		}
	}

}
