package dev.ratelimit.fault;

/**
 * One request and its answer.
 *
 * @param target the target
 * @param dueNanos when it was to be sent
 * @param sentNanos when it was sent
 * @param tookNanos how long the answer took from then
 * @param status its status, 0 if there was none
 * @param counted whether it had rate limit fields: the store, or this instance, counted
 * it
 */
record Sample(Target target, long dueNanos, long sentNanos, long tookNanos, int status, boolean counted) {

	/** The wait of a client from the time at which its request was due. */
	long waitNanos() {
		return this.sentNanos + this.tookNanos - this.dueNanos;
	}

	boolean allowed() {
		return this.status == 200;
	}

	boolean limited() {
		return this.target != Target.FREE;
	}

	boolean rejectedClosed() {
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
