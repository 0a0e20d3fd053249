package dev.ratelimit.engine;

import java.util.concurrent.CompletableFuture;

/**
 * Internal: a request that waits for its turn, or has had it. It is charged for nothing
 * while it waits. Thread-safe.
 */
public interface Ticket {

	/**
	 * Its turn.
	 * @return completed at the end of the wait, at once if there is none; canceled if the
	 * request leaves the queue
	 */
	CompletableFuture<WaitResult> result();

	/**
	 * Leave the queue, because the client has gone. What a pending attempt charges is
	 * refunded.
	 */
	void leave();

	/**
	 * How long the request has waited.
	 * @return nanoseconds from its arrival to its turn, or until now
	 */
	long waitedNanos();

}
