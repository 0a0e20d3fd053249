package dev.ratelimit.load;

import java.util.concurrent.TimeUnit;

/**
 * A look at requests while only half the seats are given out: what they take then is no
 * queueing behind the seats. Not thread-safe.
 */
final class Probe {

	/** Those that start first, all of them: what ends first is shorter than the mean. */
	private static final int ENOUGH = 100;

	private static final int FEW = 20;

	/** What hangs must not hold up the probe. */
	private static final double MOST = 0.9;

	private static final double MIN_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int REFERENCES = 5;

	private static final int GIVE_UP = 4;

	private final int number;

	private final int seats;

	private final long sinceNanos;

	private final double patienceNanos;

	private int started;

	private int ended;

	Probe(int number, int seats, double referenceNanos, long nowNanos) {
		this.number = number;
		this.seats = seats;
		this.sinceNanos = nowNanos;
		this.patienceNanos = Math.max(MIN_NANOS, REFERENCES * referenceNanos);
	}

	int seats() {
		return this.seats;
	}

	int started(int inFlight) {
		if (inFlight > this.seats || this.started == ENOUGH) {
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
		return this.ended >= ENOUGH
				|| (tookNanos(nowNanos) > this.patienceNanos && this.ended >= FEW && this.ended >= MOST * this.started);
	}

	long tookNanos(long nowNanos) {
		return nowNanos - this.sinceNanos;
	}

	boolean isGivenUp(long nowNanos) {
		return tookNanos(nowNanos) > GIVE_UP * this.patienceNanos;
	}

}
