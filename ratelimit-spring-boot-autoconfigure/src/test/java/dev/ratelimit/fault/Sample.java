package dev.ratelimit.fault;

/**
 * One request and its answer.
 *
 * @param target what was asked for
 * @param sentNanos when
 * @param tookNanos how long the answer took
 * @param status its status, 0 if there was none
 * @param counted whether it told a quota: the store, or this instance, counted it
 */
record Sample(Target target, long sentNanos, long tookNanos, int status, boolean counted) {

	boolean admitted() {
		return this.status == 200;
	}

	boolean refusedClosed() {
		return this.target == Target.CLOSED && this.status == 503;
	}

	/** The connection was closed rather than the answer awaited in vain. */
	boolean closed() {
		return this.status == 0 && this.tookNanos < 5_000_000_000L;
	}

	/** No answer is as bad as a wrong one. */
	boolean failed() {
		return this.status == 0 || this.status >= 500;
	}

}
