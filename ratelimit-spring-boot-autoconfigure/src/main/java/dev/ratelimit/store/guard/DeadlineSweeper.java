package dev.ratelimit.store.guard;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends calls whose deadline has passed: one thread that looks every few milliseconds,
 * instead of a timer a call. Most calls are answered before it first sees them.
 */
final class DeadlineSweeper implements AutoCloseable {

	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private final Queue<Call> arrivals = new ConcurrentLinkedQueue<>();

	private final Deque<Call> waiting = new ArrayDeque<>();

	private final Thread thread = new Thread(this::sweep, "ratelimit-deadlines");

	private volatile boolean idle;

	private volatile boolean closed;

	DeadlineSweeper() {
		this.thread.setDaemon(true);
		this.thread.start();
	}

	void watch(Call call) {
		this.arrivals.add(call);
		if (this.closed) {
			call.abandon();
		}
		else if (this.idle) {
			LockSupport.unpark(this.thread);
		}
	}

	private void sweep() {
		while (!this.closed) {
			Call arrival = this.arrivals.poll();
			while (arrival != null) {
				this.waiting.add(arrival);
				arrival = this.arrivals.poll();
			}
			long now = System.nanoTime();
			this.waiting.removeIf((call) -> call.isDone() || call.expired(now));
			rest();
		}
		this.waiting.forEach(Call::abandon);
		this.arrivals.forEach(Call::abandon);
	}

	private void rest() {
		if (!this.waiting.isEmpty()) {
			LockSupport.parkNanos(TICK_NANOS);
			return;
		}
		this.idle = true;
		if (this.arrivals.isEmpty() && !this.closed) {
			LockSupport.park();
		}
		this.idle = false;
	}

	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	/**
	 * A call that somebody waits for.
	 */
	interface Call {

		boolean isDone();

		/**
		 * End the call if its deadline has passed.
		 * @param nowNanos the time
		 * @return whether it has
		 */
		boolean expired(long nowNanos);

		/** End the call now, since nobody watches its deadline any longer. */
		void abandon();

	}

}
