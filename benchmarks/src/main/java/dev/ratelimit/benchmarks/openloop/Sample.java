package dev.ratelimit.benchmarks.openloop;

/**
 * A request that has ended.
 *
 * @param due the time at which it was due, in nanoseconds from the start of the run
 * @param lag the delay with which it was sent
 * @param level the level of the request
 * @param tenant the tenant that sent the request
 * @param outcome the outcome of the request
 * @param nanos the time from its due time to its end
 */
record Sample(long due, long lag, Level level, int tenant, Outcome outcome, long nanos) {

	boolean isGood() {
		return this.outcome == Outcome.GOOD;
	}

}
