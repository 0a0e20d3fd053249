package dev.ratelimit.store.guard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Ends calls at their deadlines, with one thread that checks all calls every few
 * milliseconds instead of a timer for each call. Most calls have a response before their
 * first check. Because the thread does nothing else, it also measures how late this
 * instance is.
 */
final class DeadlineSweeper implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(DeadlineSweeper.class);

	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private final Queue<Call> arrivals = new ConcurrentLinkedQueue<>();

	private final Deque<Call> waiting = new ArrayDeque<>();

	private final Lateness lateness;

	private final Time time;

	private final Thread thread = new Thread(this::run, "ratelimit-deadlines");

	private volatile boolean idle;

	private volatile boolean closed;

	/** The time at which the next check is due. A later check is late. */
	private long dueNanos;

	private long lastNanos;

	DeadlineSweeper(Supplier<? extends Collection<? extends Executor>> replyThreads, Time time) {
		this.time = time;
		this.dueNanos = time.nanos();
		this.lastNanos = this.dueNanos;
		this.lateness = new Lateness(replyThreads, TICK_NANOS);
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/**
	 * Return the total time that this instance has lost so far because it was late.
	 * @return nanoseconds since an arbitrary time
	 */
	long lateNanos() {
		return this.lateness.nanos();
	}

	/**
	 * Measure the lateness of this instance while another task runs.
	 * @return the watch, which must be closed when the task ends
	 */
	Watch watch() {
		Watch watch = new Watch(this.time.nanos());
		watch(watch);
		return watch;
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

	private void run() {
		while (!this.closed) {
			try {
				sweep();
				rest();
			}
			catch (RuntimeException | Error ex) {
				// Without this thread, calls would wait forever.
				logger.error("A check of deadlines failed", ex);
			}
		}
		this.waiting.forEach(Call::abandon);
		this.arrivals.forEach(Call::abandon);
	}

	private void sweep() {
		long now = this.time.nanos();
		this.lateness.tick(this.lastNanos, this.dueNanos, now);
		this.lastNanos = now;
		Call arrival = this.arrivals.poll();
		while (arrival != null) {
			this.waiting.add(arrival);
			arrival = this.arrivals.poll();
		}
		this.waiting.removeIf((call) -> call.isDone() || hasExpired(call, now));
	}

	// A call that fails to end must not prevent the end of other calls.
	private static boolean hasExpired(Call call, long now) {
		try {
			return call.expired(now);
		}
		catch (RuntimeException | Error ex) {
			logger.error("Failed to end a call at its deadline", ex);
			return true;
		}
	}

	private void rest() {
		if (!this.waiting.isEmpty()) {
			this.lateness.beat(this.lastNanos);
			this.dueNanos = this.time.nanos() + TICK_NANOS;
			LockSupport.parkNanos(TICK_NANOS);
			return;
		}
		this.lateness.rest();
		this.idle = true;
		if (this.arrivals.isEmpty() && !this.closed) {
			LockSupport.park();
		}
		this.idle = false;
		Call first = this.arrivals.peek();
		this.dueNanos = (first != null) ? first.startNanos() : this.time.nanos();
		this.lastNanos = this.dueNanos;
	}

	@Override
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	/**
	 * A pending task without a deadline.
	 */
	static final class Watch implements Call {

		private final long startNanos;

		private volatile boolean closed;

		Watch(long startNanos) {
			this.startNanos = startNanos;
		}

		@Override
		public long startNanos() {
			return this.startNanos;
		}

		@Override
		public boolean isDone() {
			return this.closed;
		}

		@Override
		public boolean expired(long nowNanos) {
			return false;
		}

		@Override
		public void abandon() {
			this.closed = true;
		}

		void close() {
			this.closed = true;
		}

	}

	/**
	 * A call that another thread waits for.
	 */
	interface Call {

		long startNanos();

		boolean isDone();

		/**
		 * End the call if its deadline has passed.
		 * @param nowNanos the time
		 * @return whether the deadline has passed
		 */
		boolean expired(long nowNanos);

		/** End the call now, because the sweeper is closed. */
		void abandon();

	}

	/**
	 * Measures the lateness of this instance in two ways: by the ticks of the sweeper,
	 * and by a beat on each thread that reads replies of the store. A beat is sent only
	 * while calls wait. Only the sweeper's thread writes the lateness. All threads read
	 * it.
	 */
	private static final class Lateness {

		private final Supplier<? extends Collection<? extends Executor>> replyThreads;

		private final long slackNanos;

		private List<Beat> beats = List.of();

		private volatile long lateNanos;

		Lateness(Supplier<? extends Collection<? extends Executor>> replyThreads, long slackNanos) {
			this.replyThreads = replyThreads;
			this.slackNanos = slackNanos;
		}

		/**
		 * Return the time that was lost so far.
		 * @return nanoseconds since an arbitrary time; only differences are meaningful
		 */
		long nanos() {
			return this.lateNanos;
		}

		/**
		 * Record a tick of the sweeper.
		 * @param lastNanos the time of the previous tick
		 * @param dueNanos the time at which this tick was due
		 * @param nowNanos the time
		 */
		void tick(long lastNanos, long dueNanos, long nowNanos) {
			boolean stuck = false;
			for (Beat beat : this.beats) {
				stuck |= beat.isLate(nowNanos);
			}
			long overrun = nowNanos - dueNanos;
			long lost = (stuck) ? nowNanos - lastNanos : Math.max(0, overrun);
			if (stuck || overrun > this.slackNanos) {
				this.lateNanos = this.lateNanos + lost;
			}
		}

		/**
		 * Send a beat to the threads that read replies, to determine whether they are
		 * late.
		 * @param nowNanos the time
		 */
		void beat(long nowNanos) {
			List<Beat> next = new ArrayList<>();
			for (Executor thread : this.replyThreads.get()) {
				next.add(of(thread));
			}
			next.forEach((beat) -> beat.send(nowNanos));
			this.beats = next;
		}

		/** Forget the beats, because no request waits. */
		void rest() {
			this.beats = List.of();
		}

		private Beat of(Executor thread) {
			for (Beat beat : this.beats) {
				if (beat.thread == thread) {
					return beat;
				}
			}
			return new Beat(thread, this.slackNanos);
		}

		private static final class Beat implements Runnable {

			private final Executor thread;

			private final long slackNanos;

			private long sentNanos;

			private volatile boolean running;

			Beat(Executor thread, long slackNanos) {
				this.thread = thread;
				this.slackNanos = slackNanos;
			}

			void send(long nowNanos) {
				if (this.running) {
					return;
				}
				this.sentNanos = nowNanos;
				this.running = true;
				try {
					this.thread.execute(this);
				}
				catch (RejectedExecutionException ex) {
					// The connection is being closed, so that its thread reads no
					// replies.
					this.running = false;
				}
			}

			boolean isLate(long nowNanos) {
				return this.running && nowNanos - this.sentNanos > this.slackNanos;
			}

			@Override
			public void run() {
				this.running = false;
			}

		}

	}

}
