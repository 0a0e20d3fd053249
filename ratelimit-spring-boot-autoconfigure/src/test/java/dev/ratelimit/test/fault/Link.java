package dev.ratelimit.test.fault;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The delay of bytes between two ends.
 */
final class Link {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private volatile long delayNanos;

	private boolean stalled;

	void delay(Duration delay) {
		this.delayNanos = delay.toNanos();
	}

	void stall() {
		change(true);
	}

	void heal() {
		delay(Duration.ZERO);
		change(false);
	}

	private void change(boolean stalled) {
		this.lock.lock();
		try {
			this.stalled = stalled;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return the arrival time of bytes that are sent now, unless the link stalls.
	 */
	long arrivalNanos() {
		return System.nanoTime() + this.delayNanos;
	}

	void awaitArrival(long arrivalNanos) throws InterruptedException {
		this.lock.lock();
		try {
			long left = arrivalNanos - System.nanoTime();
			while (this.stalled || left > 0) {
				this.changed.awaitNanos((left > 0) ? left : Long.MAX_VALUE);
				left = arrivalNanos - System.nanoTime();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}
