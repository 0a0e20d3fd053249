package dev.ratelimit.telemetry;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The subjects that are rejected most often within a window. Nobody waits to be counted.
 * Thread-safe.
 *
 * @param <T> what tells subjects apart
 */
final class DenialSketch<T> {

	private static final int COUNTERS = 128;

	private final ReentrantLock lock = new ReentrantLock();

	private final SpaceSaving<T> subjects = new SpaceSaving<>(COUNTERS);

	private boolean closed;

	/**
	 * Count a rejection.
	 * @param subject the subject
	 * @return false if it is not counted, because another thread counts at this moment or
	 * the window has ended
	 */
	boolean tryAdd(T subject) {
		if (!this.lock.tryLock()) {
			return false;
		}
		try {
			if (!this.closed) {
				this.subjects.add(subject);
			}
			return !this.closed;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * End the window.
	 * @return what was counted
	 */
	List<SpaceSaving.Estimate<T>> close() {
		this.lock.lock();
		try {
			this.closed = true;
			return this.subjects.estimates();
		}
		finally {
			this.lock.unlock();
		}
	}

}
