package dev.ratelimit.waiting;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.engine.Ticket;
import dev.ratelimit.engine.WaitRequest;
import dev.ratelimit.engine.WaitResult;
import dev.ratelimit.engine.WaitingPlaces;
import dev.ratelimit.queue.QueueEntry;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits or may have to wait. The lock of the queues guards its mutable
 * state.
 */
final class Waiter implements Ticket {

	private final WaitRequest request;

	private final Host host;

	private final long arrivalNanos;

	private final CompletableFuture<WaitResult> result = new CompletableFuture<>();

	private volatile long endNanos;

	private boolean done;

	private @Nullable WaitQueue queue;

	private @Nullable ExhaustedBucket held;

	/**
	 * The place of the request in its queue; null while it is tried, or if it is in no
	 * queue.
	 */
	private @Nullable QueueEntry<Waiter> entry;

	private Alarms.@Nullable Alarm<Runnable> expiry;

	private Alarms.@Nullable Alarm<Waiter> limit;

	/**
	 * The actions that free its places. They remain valid if the request moves to another
	 * queue.
	 */
	private final List<Runnable> taken = new ArrayList<>(2);

	Waiter(WaitRequest request, long arrivalNanos, Host host) {
		this.request = request;
		this.arrivalNanos = arrivalNanos;
		this.host = host;
	}

	WaitRequest request() {
		return this.request;
	}

	boolean isDone() {
		return this.done;
	}

	boolean isWaiting() {
		return this.queue != null;
	}

	boolean isTried() {
		return this.queue != null && this.entry == null;
	}

	// The exhausted bucket that the request waits for, or has waited for last.
	Optional<ExhaustedBucket> held() {
		return Optional.ofNullable(this.held);
	}

	String flow(ExhaustedBucket of) {
		return this.request.flow().apply(of.rule());
	}

	long latestNanos(ExhaustedBucket of) {
		return this.arrivalNanos + this.request.maxNanos(of.rule());
	}

	/**
	 * Whether the request has the places that it needs to wait, or can take all of them.
	 * @param all the places of all waiting requests
	 * @param flow its flow
	 * @return whether the request can wait
	 */
	boolean canTakePlaces(WaitingPlaces all, String flow) {
		return !this.taken.isEmpty() || (all.hasCapacity(flow)
				&& this.request.places().map((threads) -> threads.hasCapacity(flow)).orElse(true));
	}

	/**
	 * Take the places that the request needs to wait, unless it has them already.
	 * @param all the places of all waiting requests
	 * @param flow its flow
	 * @param after receives the actions to run without the lock
	 * @return whether the request has the places
	 */
	boolean takePlaces(WaitingPlaces all, String flow, List<Runnable> after) {
		return !this.taken.isEmpty() || (this.request.places().map((threads) -> take(threads, flow, after)).orElse(true)
				&& take(all, flow, after));
	}

	private boolean take(WaitingPlaces places, String flow, List<Runnable> after) {
		Optional<Runnable> release = places.take(flow, () -> this.host.reject(this), after);
		release.ifPresent(this.taken::add);
		return release.isPresent();
	}

	void enter(WaitQueue joined, ExhaustedBucket of, Alarms.Alarm<Runnable> until) {
		this.queue = joined;
		this.held = of;
		this.expiry = until;
		this.limit = joined.limits().at(latestNanos(of), this);
		this.entry = joined.waiters().add(this, flow(of), of.rule().cost());
	}

	/**
	 * Whether an attempt of its queue is pending or due that may serve the request, even
	 * if the attempt is late.
	 * @return whether the request may wait for the attempt
	 */
	boolean isDue() {
		return this.queue != null && this.held != null && this.queue.isTrying(latestNanos(this.held));
	}

	/**
	 * Wait on if an attempt that may serve the request is pending or due.
	 * @return false if the attempt is too late
	 */
	boolean waitsOn() {
		if (this.queue == null || this.held == null || !isDue()) {
			return false;
		}
		this.limit = this.queue.limits().at(latestNanos(this.held), this);
		return true;
	}

	void expire(Alarms.Alarm<Runnable> later) {
		this.expiry = later;
	}

	void tried() {
		this.entry = null;
	}

	void putBack(QueueEntry<Waiter> same) {
		if (this.queue != null) {
			this.queue.waiters().putBack(same);
			this.entry = same;
		}
	}

	/**
	 * Leave the queue.
	 * @param alarms the alarms, from which that of the request is removed
	 * @return the queue, if it must be tried again without the request
	 */
	Optional<WaitQueue> exit(Alarms<Runnable> alarms) {
		WaitQueue left = this.queue;
		ExhaustedBucket of = this.held;
		if (this.queue != null && this.entry != null) {
			this.queue.waiters().remove(this.entry);
		}
		if (this.queue != null && this.limit != null) {
			this.queue.limits().cancel(this.limit);
		}
		if (this.expiry != null) {
			alarms.cancel(this.expiry);
		}
		this.queue = null;
		this.entry = null;
		return Optional.ofNullable(left).filter((queue) -> of != null && queue.left(this, of.rule().cost()));
	}

	void end(long nowNanos) {
		this.taken.forEach(Runnable::run);
		this.done = true;
		this.endNanos = nowNanos;
	}

	@Override
	public CompletableFuture<WaitResult> result() {
		return this.result;
	}

	@Override
	public void leave() {
		this.host.leave(this);
	}

	@Override
	public long waitedNanos() {
		return (this.result.isDone()) ? endedAfterNanos() : this.host.nanos() - this.arrivalNanos;
	}

	long endedAfterNanos() {
		return this.endNanos - this.arrivalNanos;
	}

	/**
	 * The host of waiters: the queues in which requests wait.
	 */
	interface Host {

		void leave(Waiter waiter);

		void reject(Waiter waiter);

		long nanos();

	}

}
