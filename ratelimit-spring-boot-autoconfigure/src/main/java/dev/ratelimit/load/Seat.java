package dev.ratelimit.load;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Criticality.Level;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a request at the guard: it has a seat, waits for one, or was shed. All of it
 * changes under the guard's lock.
 */
public final class Seat {

	final Level level;

	final String flow;

	long sinceNanos;

	int stamp;

	private volatile State state = State.WAITING;

	/** Null if the request had not to wait. */
	@Nullable CompletableFuture<Seat> future;

	Seat(Level level, String flow, long nowNanos) {
		this.level = level;
		this.flow = flow;
		this.sinceNanos = nowNanos;
	}

	/**
	 * Whether the request was shed.
	 * @return whether it has no seat, and waits for none
	 */
	public boolean isShed() {
		return this.state == State.SHED;
	}

	/**
	 * Whether the request waits.
	 * @return whether its {@link #decided} comes later
	 */
	public boolean isWaiting() {
		return this.state == State.WAITING;
	}

	/**
	 * The end of the wait.
	 * @return this, once the request has a seat or is shed
	 */
	public CompletableFuture<Seat> decided() {
		CompletableFuture<Seat> later = this.future;
		return (later != null) ? later : CompletableFuture.completedFuture(this);
	}

	boolean isTaken() {
		return this.state == State.TAKEN;
	}

	void taken(int stamp, long nowNanos) {
		this.state = State.TAKEN;
		this.stamp = stamp;
		this.sinceNanos = nowNanos;
	}

	void shed() {
		this.state = State.SHED;
	}

	void left() {
		this.state = State.LEFT;
	}

	// What has been decided stays so.
	void cancel() {
		CompletableFuture<Seat> later = this.future;
		if (later != null) {
			later.cancel(false);
		}
	}

	private enum State {

		WAITING, TAKEN, SHED, LEFT

	}

}
