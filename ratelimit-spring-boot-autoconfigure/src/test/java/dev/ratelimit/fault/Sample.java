package dev.ratelimit.fault;

/**
 * One request and its response.
 *
 * @param target the target
 * @param dueNanos the time at which it was due
 * @param sentNanos the time at which it was sent
 * @param tookNanos the time from sending to the response
 * @param status the status, 0 if there was no response
 * @param counted whether the response had rate limit fields, which shows that the store
 * or this instance counted it
 */
record Sample(Target target, long dueNanos, long sentNanos, long tookNanos, int status, boolean counted) {

	/** Return the wait of the client from the time at which its request was due. */
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

	/** Return whether the connection was closed, as opposed to a timeout. */
	boolean closed() {
		return this.status == 0 && this.tookNanos < 5_000_000_000L;
	}

	/** Return whether the request failed. A missing response counts as a failure. */
	boolean failed() {
		return this.status == 0 || this.status >= 500;
	}

}
