package dev.ratelimit.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import dev.ratelimit.queue.FairQueue;
import dev.ratelimit.queue.QueueEntry;

/**
 * Internal: a bounded number of places for waiting requests of several flows. If all
 * places are occupied, a flow with fewer places takes the newest place of the flow with
 * the most places, so that one flow cannot occupy all places. Thread-safe.
 */
public final class WaitingPlaces {

	private final ReentrantLock lock = new ReentrantLock();

	/** The actions to run if a place is lost. */
	private final FairQueue<Runnable> taken;

	/**
	 * Create places.
	 * @param capacity the maximum number of requests that wait at a time, at least 0
	 */
	public WaitingPlaces(int capacity) {
		this.taken = new FairQueue<>(capacity);
	}

	/**
	 * Whether a place is free, or can be taken from another flow.
	 * @param flow the flow of the request
	 * @return whether it can take a place
	 */
	public boolean hasCapacity(String flow) {
		this.lock.lock();
		try {
			return this.taken.hasCapacity(flow);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Take a place.
	 * @param flow the flow of the request
	 * @param displaced the action to run if the place is lost to another flow
	 * @param after receives the actions that follow because another request has lost its
	 * place; the calling thread runs them when it holds no lock
	 * @return an action that frees the place and may run more than once; empty if no
	 * place is free
	 */
	public Optional<Runnable> take(String flow, Runnable displaced, List<Runnable> after) {
		this.lock.lock();
		try {
			if (this.taken.isFull()) {
				Optional<Runnable> other = this.taken.displace(flow);
				if (other.isEmpty()) {
					return Optional.empty();
				}
				after.add(other.get());
			}
			QueueEntry<Runnable> entry = this.taken.add(displaced, flow, 1);
			return Optional.of(() -> leave(entry));
		}
		finally {
			this.lock.unlock();
		}
	}

	private void leave(QueueEntry<Runnable> entry) {
		this.lock.lock();
		try {
			this.taken.remove(entry);
		}
		finally {
			this.lock.unlock();
		}
	}

}
