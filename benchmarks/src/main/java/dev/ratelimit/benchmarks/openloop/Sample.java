package dev.ratelimit.benchmarks.openloop;

/**
 * A request that has ended.
 *
 * @param due when it was due, in nanoseconds from the start of the run
 * @param lag how much later it was sent
 * @param level how important it was
 * @param tenant the tenant that it belonged to
 * @param outcome what became of it
 * @param nanos from when it was due to its end
 */
record Sample(long due, long lag, Level level, int tenant, Outcome outcome, long nanos) {

	boolean isGood() {
		return this.outcome == Outcome.GOOD;
	}

}
