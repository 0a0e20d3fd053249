package dev.ratelimit.benchmarks.openloop;

/**
 * When which requests come. Times are nanoseconds from the start of the run.
 */
interface Arrivals {

	/**
	 * When the next request is due, or {@link Long#MAX_VALUE} if none is as yet.
	 */
	long nextDue();

	/**
	 * Take the next request.
	 */
	Arrival take();

	/**
	 * A request has ended.
	 */
	void ended(long at);

	/**
	 * Whether no request will come any more.
	 */
	boolean isOver(long now);

	/**
	 * A request that arrives.
	 *
	 * @param due when
	 * @param level how important it is
	 * @param tenant the tenant that it belongs to
	 */
	record Arrival(long due, Level level, int tenant) {

	}

}
