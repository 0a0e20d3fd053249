package dev.ratelimit.waiting;

import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * The settings of requests that wait. Immutable.
 *
 * @param maxWaiting how many requests may wait at a time; 0 if none waits
 * @param instances how many instances share the limits
 * @param timer runs something later
 */
record WaitSettings(int maxWaiting, IntSupplier instances, Timer timer) {

	/**
	 * Runs something later.
	 */
	@FunctionalInterface
	interface Timer {

		/**
		 * Run a task once.
		 * @param delay how long to wait before
		 * @param task the task
		 */
		void once(Duration delay, Runnable task);

	}

}
