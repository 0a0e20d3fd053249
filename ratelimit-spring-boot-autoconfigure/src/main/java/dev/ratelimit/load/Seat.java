package dev.ratelimit.load;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Criticality.Level;
import org.jspecify.annotations.Nullable;

/**
 * A request at the guard: it has a seat, waits for one, or was shed. Its state changes
 * under the lock of the guard. Fronts add the data that they need at the end of the
 * request in a subclass, so that the guard allocates one object for each request.
 */
class Seat {

	final Level level;

	final String flow;

	long sinceNanos;

	int stamp;

	private volatile State state = State.WAITING;

	/** Null if the request did not wait. */
	@Nullable CompletableFuture<Seat> future;

	/**
	 * Create a request without a seat.
	 * @param level its level
	 * @param flow the flow of the request
	 * @param nowNanos the time
	 */
	protected Seat(Level level, String flow, long nowNanos) {
		this.level = level;
		this.flow = flow;
		this.sinceNanos = nowNanos;
	}

	/**
	 * Return whether the request was shed.
	 * @return whether it neither has a seat nor waits for one
	 */
	final boolean isShed() {
		return this.state == State.SHED;
	}

	/**
	 * Return whether the request waits.
	 * @return whether {@link #decided} completes later
	 */
	final boolean isWaiting() {
		return this.state == State.WAITING;
	}

	/**
	 * Return the end of the wait.
	 * @return a future that completes with this request when it has a seat or is shed
	 */
	final CompletableFuture<Seat> decided() {
		CompletableFuture<Seat> later = this.future;
		return (later != null) ? later : CompletableFuture.completedFuture(this);
	}

	final boolean isTaken() {
		return this.state == State.TAKEN;
	}

	final void taken(int stamp, long nowNanos) {
		this.state = State.TAKEN;
		this.stamp = stamp;
		this.sinceNanos = nowNanos;
	}

	final void shed() {
		this.state = State.SHED;
	}

	final void left() {
		this.state = State.LEFT;
	}

	final void complete() {
		CompletableFuture<Seat> later = this.future;
		if (later != null) {
			later.complete(this);
		}
	}

	// Has no effect after the decision.
	final void cancel() {
		CompletableFuture<Seat> later = this.future;
		if (later != null) {
			later.cancel(false);
		}
	}

	private enum State {

		WAITING, TAKEN, SHED, LEFT

	}

}
