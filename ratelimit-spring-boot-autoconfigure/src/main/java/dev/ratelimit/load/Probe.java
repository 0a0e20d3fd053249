package dev.ratelimit.load;

import java.util.concurrent.TimeUnit;

/**
 * A look at requests while only half the seats are given out: what they take then is no
 * queueing behind the seats. Not thread-safe.
 */
final class Probe {

	private static final int FEW = 20;

	/** What hangs must not hold up the probe. */
	private static final double MOST = 0.9;

	private static final double MIN_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int REFERENCES = 5;

	private static final int GIVE_UP = 4;

	private final int number;

	private final int seats;

	/** Those that start first, all of them: what ends first is shorter than the mean. */
	private final int enough;

	private final long sinceNanos;

	private final double patienceNanos;

	private int started;

	private int ended;

	Probe(int number, int seats, int enough, double referenceNanos, long nowNanos) {
		this.number = number;
		this.seats = seats;
		this.enough = enough;
		this.sinceNanos = nowNanos;
		this.patienceNanos = Math.max(MIN_NANOS, REFERENCES * referenceNanos);
	}

	int seats() {
		return this.seats;
	}

	int started(int inFlight) {
		if (inFlight > this.seats || this.started == this.enough) {
			return SeatLimit.UNSTAMPED;
		}
		this.started++;
		return this.number;
	}

	boolean ended(int stamp) {
		if (stamp != this.number) {
			return false;
		}
		this.ended++;
		return true;
	}

	boolean isDone(long nowNanos) {
		return this.ended >= this.enough
				|| (tookNanos(nowNanos) > this.patienceNanos && this.ended >= FEW && this.ended >= MOST * this.started);
	}

	long tookNanos(long nowNanos) {
		return nowNanos - this.sinceNanos;
	}

	boolean isGivenUp(long nowNanos) {
		return tookNanos(nowNanos) > GIVE_UP * this.patienceNanos;
	}

}
