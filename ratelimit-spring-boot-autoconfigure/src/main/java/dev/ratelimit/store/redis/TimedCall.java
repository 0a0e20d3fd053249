package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A script call that may charge until a time of the server's clock. If a stalled server
 * runs the script after the deadline, the script charges nothing. If a script ran too
 * late by the server's clock, but its reply arrives in time, the clock was changed, and
 * the call is repeated once.
 *
 * @param <T> the result
 */
abstract class TimedCall<T> extends CompletableFuture<T> {

	private final ServerClock server;

	private final long deadlineNanos;

	private long sentNanos;

	private boolean again;

	/**
	 * Create a call that was not sent yet.
	 * @param server the clock of the server
	 * @param deadlineNanos the time after which nothing may be charged
	 */
	TimedCall(ServerClock server, long deadlineNanos) {
		this.server = server;
		this.deadlineNanos = deadlineNanos;
	}

	/**
	 * Run the script.
	 * @return its reply
	 */
	abstract CompletableFuture<long[]> run();

	/**
	 * Return the result of a script that did not run too late.
	 * @param reply the reply, which contains more than the time
	 * @return the result
	 */
	abstract T result(Reply reply);

	/**
	 * Called if the server rejected the script or did not reply.
	 * @param failure the failure
	 */
	void failed(Throwable failure) {
	}

	final void start() {
		this.sentNanos = this.server.nanos();
		run().whenComplete(this::responded);
	}

	// An uncaught exception would be lost, and the call would never end.
	private void responded(long @Nullable [] numbers, @Nullable Throwable failure) {
		try {
			if (numbers != null) {
				replied(new Reply(numbers));
			}
			else if (failure != null) {
				failed(failure);
				completeExceptionally(failure);
			}
		}
		catch (RuntimeException ex) {
			completeExceptionally(StoreException.of(ex));
		}
	}

	private void replied(Reply reply) {
		boolean inTime = this.server.nanos() - this.deadlineNanos < 0;
		if (!reply.tooLate()) {
			if (inTime) {
				this.server.saw(reply.atMillis(), this.sentNanos);
			}
			complete(result(reply));
		}
		else if (this.again || !inTime) {
			completeExceptionally(StoreException.uncharged(Kind.TIMEOUT, "the script ran after the deadline", null));
		}
		else {
			this.again = true;
			this.server.reset(reply.atMillis(), this.sentNanos);
			start();
		}
	}

}
