package dev.ratelimit.load;

/**
 * The number of requests that this instance processes at a time. Not thread-safe.
 */
interface SeatLimit {

	/** The stamp of a request that is not part of a probe. */
	int UNSTAMPED = 0;

	/**
	 * Return the present number of seats.
	 * @return the number, at least 1
	 */
	int seats();

	/**
	 * Return the time that a request may wait for a seat, unless a wait is configured.
	 * @return the wait in nanoseconds
	 */
	long waitNanos();

	/**
	 * Record that a request has taken a seat.
	 * @param inFlight the number of seats that are taken, with this one
	 * @param nowNanos the time
	 * @return a stamp, to pass to {@link #ended}
	 */
	int started(int inFlight, long nowNanos);

	/**
	 * Record that a request has found no seat.
	 * @param nowNanos the time
	 */
	void lacked(long nowNanos);

	/**
	 * Record that a request has left its seat.
	 * @param stamp its stamp
	 * @param route the index of its route; negative if the duration is not a sample
	 * @param tookNanos the time that it had the seat
	 * @param nowNanos the time
	 */
	void ended(int stamp, int route, long tookNanos, long nowNanos);

	/**
	 * A limit that does not change.
	 *
	 * @param seats the number of seats
	 */
	record Fixed(int seats) implements SeatLimit {

		/**
		 * Twice an assumed duration of requests of 50 ms, because there are no
		 * references.
		 */
		private static final long WAIT_NANOS = 100_000_000;

		@Override
		public long waitNanos() {
			return WAIT_NANOS;
		}

		@Override
		public int started(int inFlight, long nowNanos) {
			return UNSTAMPED;
		}

		@Override
		public void lacked(long nowNanos) {
			// A fixed limit does not change.
		}

		@Override
		public void ended(int stamp, int route, long tookNanos, long nowNanos) {
			// A fixed limit does not change.
		}

	}

}
