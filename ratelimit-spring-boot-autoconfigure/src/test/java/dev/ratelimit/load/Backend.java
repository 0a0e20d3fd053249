package dev.ratelimit.load;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * A simulated backend that processes a number of jobs at once. Times are nanoseconds.
 */
abstract class Backend {

	final int servers;

	Backend(int servers) {
		this.servers = servers;
	}

	abstract void add(double now, Job job);

	/**
	 * Return the time at which the next job ends.
	 * @return the time; infinite if there is no job
	 */
	abstract double nextEnd();

	abstract Job take();

	static Backend fifo(int servers) {
		return new Fifo(servers);
	}

	static Backend shared(int servers) {
		return new Shared(servers);
	}

	/**
	 * A running or waiting job.
	 */
	static final class Job {

		final int route;

		final double arrived;

		final double service;

		final Object seat;

		double end;

		Job(int route, double arrived, double service, Object seat) {
			this.route = route;
			this.arrived = arrived;
			this.service = service;
			this.seat = seat;
		}

	}

	/** A backend whose jobs wait for a server in order. */
	private static final class Fifo extends Backend {

		private final PriorityQueue<Job> running = new PriorityQueue<>(Comparator.comparingDouble((job) -> job.end));

		private final Deque<Job> waiting = new ArrayDeque<>();

		Fifo(int servers) {
			super(servers);
		}

		@Override
		void add(double now, Job job) {
			if (this.running.size() < this.servers) {
				start(now, job);
			}
			else {
				this.waiting.add(job);
			}
		}

		private void start(double now, Job job) {
			job.end = now + job.service;
			this.running.add(job);
		}

		@Override
		double nextEnd() {
			return (this.running.isEmpty()) ? Double.POSITIVE_INFINITY : this.running.peek().end;
		}

		@Override
		Job take() {
			Job ended = this.running.remove();
			if (!this.waiting.isEmpty()) {
				start(ended.end, this.waiting.remove());
			}
			return ended;
		}

	}

	/** A backend whose jobs share the servers evenly. */
	private static final class Shared extends Backend {

		private final PriorityQueue<Job> running = new PriorityQueue<>(Comparator.comparingDouble((job) -> job.end));

		private double served;

		private double last;

		Shared(int servers) {
			super(servers);
		}

		private double rate() {
			return Math.min(1, this.servers / (double) this.running.size());
		}

		private void advance(double now) {
			if (!this.running.isEmpty()) {
				this.served += (now - this.last) * rate();
			}
			this.last = now;
		}

		@Override
		void add(double now, Job job) {
			advance(now);
			job.end = this.served + job.service;
			this.running.add(job);
		}

		@Override
		double nextEnd() {
			return (this.running.isEmpty()) ? Double.POSITIVE_INFINITY
					: this.last + (this.running.peek().end - this.served) / rate();
		}

		@Override
		Job take() {
			advance(nextEnd());
			return this.running.remove();
		}

	}

}
