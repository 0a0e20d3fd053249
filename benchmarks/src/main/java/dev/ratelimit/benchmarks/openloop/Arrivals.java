package dev.ratelimit.benchmarks.openloop;

/**
 * The requests of a run, with the times at which they arrive. Times are nanoseconds from
 * the start of the run.
 */
interface Arrivals {

	/**
	 * Return the time at which the next request is due, or {@link Long#MAX_VALUE} if no
	 * request is known yet.
	 */
	long nextDue();

	/**
	 * Remove the next request and return it.
	 */
	Arrival take();

	/**
	 * Report the end of a request.
	 */
	void ended(long at);

	/**
	 * Return whether no more requests will arrive.
	 */
	boolean isOver(long now);

	/**
	 * A request that arrives.
	 *
	 * @param due the time at which the request is due
	 * @param level the level of the request
	 * @param tenant the tenant that sends the request
	 */
	record Arrival(long due, Level level, int tenant) {

	}

}
