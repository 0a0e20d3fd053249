package dev.ratelimit.telemetry;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A part of the counters of a rule. Nobody waits to be counted. Thread-safe.
 *
 * @param <T> what tells subjects apart
 */
final class DenialStripe<T> {

	private static final int COUNTERS = 128;

	/**
	 * As many as a cache line has, before the flag and after it: threads share no line.
	 */
	private static final int LINE = 16;

	private final AtomicIntegerArray busy = new AtomicIntegerArray(2 * LINE);

	private final SpaceSaving<T> subjects = new SpaceSaving<>(COUNTERS);

	/**
	 * Count a rejection.
	 * @param subject the subject
	 * @param hash its keyed hash
	 * @return false if it is not counted, because another thread counts at this moment or
	 * the window has ended
	 */
	boolean tryAdd(T subject, int hash) {
		if (!this.busy.compareAndSet(LINE, 0, 1)) {
			return false;
		}
		this.subjects.add(subject, hash);
		this.busy.setRelease(LINE, 0);
		return true;
	}

	/**
	 * End the window: whoever counts afterwards finds the counters busy.
	 * @return what was counted
	 */
	List<SpaceSaving.Estimate<T>> close() {
		while (!this.busy.compareAndSet(LINE, 0, 1)) {
			Thread.onSpinWait();
		}
		return this.subjects.estimates();
	}

}
