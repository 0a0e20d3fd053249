package dev.ratelimit.store.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * How late this instance itself is, by two clocks: the sweeper's ticks, and a beat on
 * each thread where replies of the store wait to be read. A beat is sent only while calls
 * wait. Written by the sweeper's thread alone, read by all.
 */
final class Lateness {

	private final Supplier<? extends Collection<? extends Executor>> replyThreads;

	private final long slackNanos;

	private List<Beat> beats = List.of();

	private volatile long lateNanos;

	Lateness(Supplier<? extends Collection<? extends Executor>> replyThreads, long slackNanos) {
		this.replyThreads = replyThreads;
		this.slackNanos = slackNanos;
	}

	/**
	 * The time that was lost so far.
	 * @return nanoseconds since some moment; only differences mean something
	 */
	long nanos() {
		return this.lateNanos;
	}

	/**
	 * A tick of the sweeper.
	 * @param lastNanos when the tick before was
	 * @param dueNanos when this one was due
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
	 * Let the threads where replies wait say that they go on.
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

	/** Nobody waits: what is sent now says nothing. */
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

		private volatile boolean underWay;

		Beat(Executor thread, long slackNanos) {
			this.thread = thread;
			this.slackNanos = slackNanos;
		}

		void send(long nowNanos) {
			if (this.underWay) {
				return;
			}
			this.sentNanos = nowNanos;
			this.underWay = true;
			try {
				this.thread.execute(this);
			}
			catch (RejectedExecutionException ex) {
				// The connection is being closed: its thread reads nothing any more.
				this.underWay = false;
			}
		}

		boolean isLate(long nowNanos) {
			return this.underWay && nowNanos - this.sentNanos > this.slackNanos;
		}

		@Override
		public void run() {
			this.underWay = false;
		}

	}

}
