package dev.ratelimit.test.fault;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long sent bytes are on their way.
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
	 * When what is sent now arrives, unless the link stalls.
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
