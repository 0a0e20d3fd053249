package dev.ratelimit.load;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Criticality.Level;
import org.jspecify.annotations.Nullable;

/**
 * A request at the guard: it has a seat, waits for one, or was shed. All of it changes
 * under the guard's lock. Fronts add what they must know at the end, so that a request
 * costs one object.
 */
class Seat {

	final Level level;

	final String flow;

	long sinceNanos;

	int stamp;

	private volatile State state = State.WAITING;

	/** Null if the request had not to wait. */
	@Nullable CompletableFuture<Seat> future;

	/**
	 * A request that has not requested a seat yet.
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
	 * Whether the request was shed.
	 * @return whether it has no seat, and waits for none
	 */
	final boolean isShed() {
		return this.state == State.SHED;
	}

	/**
	 * Whether the request waits.
	 * @return whether its {@link #decided} comes later
	 */
	final boolean isWaiting() {
		return this.state == State.WAITING;
	}

	/**
	 * The end of the wait.
	 * @return this, once the request has a seat or is shed
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

	// What has been decided stays so.
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
