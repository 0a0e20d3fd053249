package dev.ratelimit.benchmarks.openloop;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * The requests of a fixed number of clients. Each client pauses after each response,
 * before its next request.
 */
final class ClosedArrivals implements Arrivals {

	private final long end;

	private final double thinkNanos;

	private final Mix mix;

	private final PriorityQueue<Long> due = new PriorityQueue<>();

	private final Random random = new Random(43);

	ClosedArrivals(int clients, Duration think, Mix mix, Duration length) {
		this.end = length.toNanos();
		this.thinkNanos = think.toNanos();
		this.mix = mix;
		for (int client = 0; client < clients; client++) {
			ended(0);
		}
	}

	@Override
	public long nextDue() {
		Long next = this.due.peek();
		return (next == null || next >= this.end) ? Long.MAX_VALUE : next;
	}

	@Override
	public Arrival take() {
		return new Arrival(this.due.remove(), this.mix.level(this.random), this.mix.tenant(this.random));
	}

	@Override
	public void ended(long at) {
		this.due.add(at + (long) (-Math.log(1 - this.random.nextDouble()) * this.thinkNanos));
	}

	@Override
	public boolean isOver(long now) {
		return now >= this.end;
	}

}
