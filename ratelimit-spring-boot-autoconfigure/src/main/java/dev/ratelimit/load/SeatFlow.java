package dev.ratelimit.load;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * The requests of one client on one level: the number of their seats, and the requests
 * that wait. Not thread-safe.
 */
final class SeatFlow {

	/** The queue of flows without waiting requests. It is shared and not modified. */
	private static final Deque<Seat> NO_SEATS = new ArrayDeque<>(0);

	final String key;

	/** The next flow at the same index of {@link SeatLevel.SeatFlows}. */
	@Nullable SeatFlow sibling;

	int taken;

	private Deque<Seat> waiting = NO_SEATS;

	SeatFlow(String key) {
		this.key = key;
	}

	int waiting() {
		return this.waiting.size();
	}

	boolean isIdle() {
		return this.taken == 0 && this.waiting.isEmpty();
	}

	void add(Seat seat) {
		if (this.waiting == NO_SEATS) {
			this.waiting = new ArrayDeque<>(4);
		}
		this.waiting.addLast(seat);
	}

	Seat first() {
		return this.waiting.getFirst();
	}

	Seat newest() {
		return this.waiting.getLast();
	}

	void remove(Seat seat) {
		if (this.waiting.peekFirst() == seat) {
			this.waiting.removeFirst();
		}
		else if (!this.waiting.removeLastOccurrence(seat)) {
			throw new IllegalStateException("the request does not wait");
		}
	}

}
