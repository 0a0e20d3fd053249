package dev.ratelimit.engine;

import java.util.concurrent.CompletableFuture;

/**
 * Internal: the place of a request in a queue, during and after the wait. The request is
 * not charged while it waits. Thread-safe.
 */
public interface Ticket {

	/**
	 * The end of the wait for its turn.
	 * @return completed at the end of the wait, at once if there is none; canceled if the
	 * request leaves the queue
	 */
	CompletableFuture<WaitResult> result();

	/**
	 * Leave the queue, because the client has disconnected. The charges of a pending
	 * attempt are refunded.
	 */
	void leave();

	/**
	 * Return the time that the request has waited.
	 * @return nanoseconds from its arrival to its turn, or until now
	 */
	long waitedNanos();

}
