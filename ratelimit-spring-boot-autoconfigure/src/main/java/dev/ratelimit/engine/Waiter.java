package dev.ratelimit.engine;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.queue.FairQueue;
import dev.ratelimit.queue.Place;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits, or may have to. What changes is guarded by the lock of the lines.
 */
final class Waiter implements Ticket {

	private final LineRequest request;

	private final Host host;

	private final long arrivalNanos;

	private final CompletableFuture<Turn> turn = new CompletableFuture<>();

	private volatile long endNanos;

	private boolean done;

	private @Nullable FairQueue<Waiter> queue;

	private @Nullable Holdup held;

	/** Where it waits; not there while it is tried. */
	private @Nullable Place<Waiter> place;

	private Alarms.@Nullable Alarm expiry;

	Waiter(LineRequest request, long arrivalNanos, Host host) {
		this.request = request;
		this.arrivalNanos = arrivalNanos;
		this.host = host;
	}

	LineRequest request() {
		return this.request;
	}

	boolean isDone() {
		return this.done;
	}

	boolean isWaiting() {
		return this.queue != null;
	}

	boolean isTried() {
		return this.queue != null && this.place == null;
	}

	// What it waits for, or has waited for last.
	Optional<Holdup> held() {
		return Optional.ofNullable(this.held);
	}

	String flow(Holdup of) {
		return this.request.flow().apply(of.rule());
	}

	long latestNanos(Holdup of) {
		return this.arrivalNanos + this.request.maxNanos(of.rule());
	}

	void enter(FairQueue<Waiter> line, Holdup of, Alarms.Alarm until) {
		this.queue = line;
		this.held = of;
		this.expiry = until;
		this.place = line.add(this, flow(of), of.rule().cost());
	}

	void tried() {
		this.place = null;
	}

	void putBack(Place<Waiter> same) {
		if (this.queue != null) {
			this.queue.putBack(same);
			this.place = same;
		}
	}

	void exit(Alarms alarms) {
		if (this.queue != null && this.place != null) {
			this.queue.remove(this.place);
		}
		if (this.expiry != null) {
			alarms.cancel(this.expiry);
		}
		this.queue = null;
		this.place = null;
	}

	void end(long nowNanos) {
		this.done = true;
		this.endNanos = nowNanos;
	}

	@Override
	public CompletableFuture<Turn> turn() {
		return this.turn;
	}

	@Override
	public void leave() {
		this.host.leave(this);
	}

	@Override
	public void refuse() {
		this.host.refuse(this);
	}

	@Override
	public long waitedNanos() {
		return (this.turn.isDone()) ? endedAfterNanos() : this.host.nanos() - this.arrivalNanos;
	}

	long endedAfterNanos() {
		return this.endNanos - this.arrivalNanos;
	}

	/**
	 * Where requests wait.
	 */
	interface Host {

		void leave(Waiter waiter);

		void refuse(Waiter waiter);

		long nanos();

	}

}
