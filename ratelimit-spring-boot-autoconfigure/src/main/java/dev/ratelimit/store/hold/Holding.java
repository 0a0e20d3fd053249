package dev.ratelimit.store.hold;

import java.util.Arrays;

/**
 * The slots of one bucket. Changed by one thread at a time.
 */
final class Holding {

	private static final int TAKEN = 0;

	private static final int SINCE = 1;

	private static final int UNITS = 2;

	private static final int SIZE = 3;

	/**
	 * For each charge its time by the store's clock, and by ours, and its units; negative
	 * if this instance has counted it by itself.
	 */
	private long[] charges = new long[SIZE];

	private int end;

	/** Units of charges that have not been answered. */
	private long asked;

	/** Charges that were taken while too much was held for them to be listed. */
	private long unlisted;

	/** Whether the store may know another number. */
	private boolean doubtful;

	private long pauseMillis;

	/** Looked at by others, to find what is due. */
	private volatile long dueMillis;

	Holding(long dueMillis) {
		this.dueMillis = dueMillis;
	}

	void ask(long units) {
		this.asked += units;
	}

	void responded(long units) {
		this.asked -= units;
	}

	void take(long takenAtMillis, long units, long nowMillis, boolean alone) {
		if (this.end == this.charges.length) {
			this.charges = Arrays.copyOf(this.charges, 2 * this.end);
		}
		this.charges[this.end + TAKEN] = takenAtMillis;
		this.charges[this.end + SINCE] = nowMillis;
		this.charges[this.end + UNITS] = (alone) ? -units : units;
		this.end += SIZE;
	}

	boolean release(long takenAtMillis, long nowMillis) {
		for (int at = 0; at < this.end; at += SIZE) {
			if (this.charges[at + TAKEN] == takenAtMillis) {
				// A renewal may have told the store of it, and nothing else tells it of
				// the release.
				if (this.charges[at + UNITS] < 0) {
					doubt(nowMillis);
				}
				remove(at);
				return true;
			}
		}
		return false;
	}

	void takeUnlisted() {
		this.unlisted++;
	}

	boolean releaseUnlisted() {
		if (this.unlisted == 0) {
			return false;
		}
		this.unlisted--;
		return true;
	}

	/**
	 * End what has been held since a time.
	 * @param throughMillis the time
	 * @return how many charges
	 */
	long end(long throughMillis) {
		long ended = 0;
		for (int at = this.end - SIZE; at >= 0; at -= SIZE) {
			if (this.charges[at + SINCE] <= throughMillis) {
				remove(at);
				ended++;
			}
		}
		return ended;
	}

	// Their order does not matter.
	private void remove(int at) {
		this.end -= SIZE;
		System.arraycopy(this.charges, this.end, this.charges, at, SIZE);
	}

	void doubt(long nowMillis) {
		this.doubtful = true;
		this.dueMillis = nowMillis;
	}

	boolean isDue(long nowMillis) {
		return this.dueMillis <= nowMillis;
	}

	/**
	 * Begin a renewal.
	 * @param nowMillis the time
	 * @param pause when the next one is due, if this one succeeds, in ms
	 * @return how many units the store is to know
	 */
	long renewing(long nowMillis, long pause) {
		this.pauseMillis = pause;
		this.dueMillis = nowMillis + pause;
		// Whether those are taken is not known: look again soon.
		this.doubtful = this.asked > 0;
		return this.asked + units();
	}

	void renewed(boolean done, long nowMillis) {
		if (!done) {
			this.doubtful = true;
			this.dueMillis = nowMillis + this.pauseMillis / 2;
		}
		else if (this.doubtful) {
			this.dueMillis = nowMillis;
		}
	}

	private long units() {
		long units = 0;
		for (int at = 0; at < this.end; at += SIZE) {
			units += Math.abs(this.charges[at + UNITS]);
		}
		return units;
	}

	boolean isEmpty() {
		return this.end == 0 && this.asked == 0;
	}

	boolean isDoubtful() {
		return this.doubtful;
	}

}
