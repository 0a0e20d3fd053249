package dev.ratelimit.waiting;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;

/**
 * The settings of waiting requests. Immutable.
 *
 * @param maxWaiting the maximum number of waiting requests; 0 if no request waits
 * @param instances supplies the number of instances that share the limits
 * @param timer runs tasks later
 * @param random supplies numbers from 0 to less than 1, which delay attempts if several
 * instances share the limits
 */
record WaitSettings(int maxWaiting, IntSupplier instances, Timer timer, DoubleSupplier random) {

	WaitSettings(int maxWaiting, IntSupplier instances, Timer timer) {
		this(maxWaiting, instances, timer, () -> ThreadLocalRandom.current().nextDouble());
	}

	/**
	 * Runs tasks later.
	 */
	@FunctionalInterface
	interface Timer {

		/**
		 * Run a task once.
		 * @param delay the delay before the task
		 * @param task the task
		 * @return cancels the task, unless it has begun
		 */
		Runnable once(Duration delay, Runnable task);

	}

}
