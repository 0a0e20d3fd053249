package dev.ratelimit.load;

/**
 * How many requests this instance processes at a time. Not thread-safe.
 */
interface SeatLimit {

	/** The stamp of a request that is no part of a probe. */
	int UNSTAMPED = 0;

	/**
	 * How many seats there are now.
	 * @return the seats, at least 1
	 */
	int seats();

	/**
	 * How long a request may wait for a seat, if that follows the duration of requests.
	 * @return the wait in nanoseconds
	 */
	long waitNanos();

	/**
	 * A request has taken a seat.
	 * @param inFlight how many are taken, with it
	 * @param nowNanos the time
	 * @return a stamp for its end
	 */
	int started(int inFlight, long nowNanos);

	/**
	 * A request has found no seat.
	 * @param nowNanos the time
	 */
	void lacked(long nowNanos);

	/**
	 * A request has left its seat.
	 * @param stamp its stamp
	 * @param route the index of its route; negative if it is no sample
	 * @param tookNanos how long it had the seat
	 * @param nowNanos the time
	 */
	void ended(int stamp, int route, long tookNanos, long nowNanos);

	/**
	 * A limit that does not change.
	 *
	 * @param seats the seats
	 */
	record Fixed(int seats) implements SeatLimit {

		/** Without references, the wait is that of requests that take 50 ms. */
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
			// Changes nothing.
		}

		@Override
		public void ended(int stamp, int route, long tookNanos, long nowNanos) {
			// Changes nothing.
		}

	}

}
