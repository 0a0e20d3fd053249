package dev.ratelimit.load;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * The requests of one client on one level: how many seats they have, and which of them
 * wait. Not thread-safe.
 */
final class SeatFlow {

	/** Of flows of which nothing has waited. Not changed. */
	private static final Deque<Seat> NO_SEATS = new ArrayDeque<>(0);

	final String key;

	/** The next one at its place in {@link SeatLevel.SeatFlows}. */
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
