package dev.ratelimit.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.ratelimit.Criticality.Level;

/**
 * Internal: assigns the seats of this instance. A request has a seat while it is
 * processed. A request without a seat waits for a short time, or is shed. Thread-safe.
 */
public final class LoadGuard {

	/** The index of a request with a duration that is not a sample. */
	public static final int NO_SAMPLE = -1;

	/**
	 * The number of records of routes. All further routes share the last record.
	 */
	public static final int ROUTES = 257;

	/** The lock is not held while a request waits, or during callbacks. */
	private final ReentrantLock lock = new ReentrantLock();

	private final LoadSettings settings;

	private final SeatLimit limit;

	private final SeatLevels levels;

	/**
	 * Create a guard without requests.
	 * @param settings the settings
	 * @param nowNanos the time, by the clock that all methods use
	 */
	public LoadGuard(LoadSettings settings, long nowNanos) {
		this(settings, settings.limit(ROUTES, nowNanos), nowNanos);
	}

	LoadGuard(LoadSettings settings, SeatLimit limit, long nowNanos) {
		this.settings = settings;
		this.limit = limit;
		this.levels = new SeatLevels(settings, nowNanos);
	}

	/**
	 * Create a guard of the few separate seats of requests to management.
	 * @param nowNanos the time
	 * @return the guard, which is in shadow mode if this guard is
	 */
	LoadGuard ofManagement(long nowNanos) {
		return new LoadGuard(this.settings.ofManagement(), nowNanos);
	}

	/**
	 * Return whether to shed a request that arrives now, because too many requests wait
	 * before it.
	 * @param level its level
	 * @param flow the flow of the request
	 * @param nowNanos the time
	 * @return whether it is shed
	 */
	boolean sheds(Level level, String flow, long nowNanos) {
		boolean shadow = this.settings.shadow();
		boolean free = shadow || (this.levels.waiting() == 0 && this.settings.queueLength() > 0);
		if (free && !this.levels.watchesUse()) {
			return false;
		}
		boolean sheds;
		List<Seat> decided;
		this.lock.lock();
		try {
			sheds = counts(this.levels.of(level), flow, shadow, nowNanos);
			decided = (sheds && this.levels.waiting() > 0) ? serve(nowNanos, new ArrayList<>()) : List.of();
		}
		finally {
			this.lock.unlock();
		}
		complete(decided);
		return sheds && !shadow;
	}

	private boolean counts(SeatLevel own, String flow, boolean shadow, long nowNanos) {
		boolean hopeless = !shadow && isHopeless(own, flow, nowNanos);
		boolean sheds = hopeless || this.levels.isOverused(own.level, flow, nowNanos);
		if (sheds) {
			own.countShed(shadow);
			this.limit.lacked(nowNanos);
		}
		return sheds;
	}

	/**
	 * Return whether a request that arrived now would be shed. Does not count the
	 * request.
	 * @param level its level
	 * @param flow the flow of the request
	 * @param nowNanos the time
	 * @return whether it would be shed
	 */
	boolean wouldShed(Level level, String flow, long nowNanos) {
		return locked(() -> this.levels.isOverused(level, flow, nowNanos)
				|| isHopeless(this.levels.of(level), flow, nowNanos));
	}

	/**
	 * Take a seat, wait for one, or be shed.
	 * @param <S> the type of seat of a front
	 * @param seat the request
	 * @return the request with its seat
	 */
	<S extends Seat> S seat(S seat) {
		List<Seat> decided;
		this.lock.lock();
		try {
			SeatLevel own = this.levels.of(seat.level);
			long nowNanos = seat.sinceNanos;
			decided = (takesAtOnce(seat, own, nowNanos)) ? take(seat, nowNanos) : queue(seat, own, nowNanos);
		}
		finally {
			this.lock.unlock();
		}
		complete(decided);
		return seat;
	}

	private boolean takesAtOnce(Seat seat, SeatLevel own, long nowNanos) {
		boolean free = this.levels.hasSeat(own, this.limit.seats());
		if (!free && this.settings.shadow()) {
			// A request that the utilization of the seats would have shed was counted on
			// arrival.
			if (!this.levels.isOverused(seat.level, seat.flow, nowNanos)) {
				own.countShed(true);
			}
			this.limit.lacked(nowNanos);
			return true;
		}
		return free;
	}

	private List<Seat> queue(Seat seat, SeatLevel own, long nowNanos) {
		this.limit.lacked(nowNanos);
		// The lack of a seat may have ended a probe, which had halved the seats.
		List<Seat> decided = serve(nowNanos, new ArrayList<>(2));
		if (this.levels.hasSeat(own, this.limit.seats())) {
			take(seat, nowNanos);
			return decided;
		}
		if (isHopeless(own, seat.flow, nowNanos)) {
			own.reject(seat);
			return decided;
		}
		if (this.levels.isFull()) {
			decided.add(shed(Objects.requireNonNull(this.levels.givesWay(own, seat.flow))));
		}
		seat.future = new CompletableFuture<>();
		this.levels.enqueue(seat);
		return serve(nowNanos, decided);
	}

	private Seat shed(Seat seat) {
		this.levels.dequeue(seat);
		this.levels.of(seat.level).reject(seat);
		return seat;
	}

	private boolean isHopeless(SeatLevel level, String flow, long nowNanos) {
		if (this.levels.hasSeat(level, this.limit.seats())) {
			return false;
		}
		return (this.levels.isFull() && this.levels.givesWay(level, flow) == null)
				|| this.levels.isTooLong(level, flow, this.limit.seats(), maxWaitNanos(), nowNanos);
	}

	/**
	 * Return the time that a request may wait for a seat now.
	 * @return nanoseconds
	 */
	long maxWaitNanos() {
		return this.settings.maxWaitNanos(this.limit);
	}

	private List<Seat> take(Seat seat, long nowNanos) {
		this.levels.take(seat, nowNanos);
		seat.taken(this.limit.started(this.levels.taken(), nowNanos), nowNanos);
		return List.of();
	}

	private List<Seat> serve(long nowNanos, List<Seat> decided) {
		for (Seat next = this.levels.next(this.limit.seats()); next != null; next = this.levels
			.next(this.limit.seats())) {
			this.levels.dequeue(next);
			take(next, nowNanos);
			decided.add(next);
		}
		return decided;
	}

	/**
	 * Shed a request that has waited for too long.
	 * @param seat the request; no effect unless it waits
	 */
	void expire(Seat seat) {
		complete(locked(() -> (seat.isWaiting()) ? List.of(shed(seat)) : List.of()));
	}

	/**
	 * Free a seat, or a place in the queue. A second call has no effect.
	 * @param seat the request that ends
	 * @param route the index of its route, below {@link #ROUTES}, or {@link #NO_SAMPLE}
	 * @param nowNanos the time
	 */
	void leave(Seat seat, int route, long nowNanos) {
		List<Seat> decided;
		this.lock.lock();
		try {
			decided = left(seat, route, nowNanos);
		}
		finally {
			this.lock.unlock();
		}
		complete(decided);
		seat.cancel();
	}

	private List<Seat> left(Seat seat, int route, long nowNanos) {
		if (seat.isWaiting()) {
			this.levels.dequeue(seat);
		}
		else if (seat.isTaken()) {
			this.levels.free(seat, nowNanos);
			this.limit.ended(seat.stamp, route, nowNanos - seat.sinceNanos, nowNanos);
		}
		else {
			return List.of();
		}
		seat.left();
		return (this.levels.waiting() > 0) ? serve(nowNanos, new ArrayList<>(2)) : List.of();
	}

	/**
	 * Return the present number of seats.
	 * @return the limit
	 */
	int limit() {
		return locked(this.limit::seats);
	}

	/**
	 * Return the counts of a level's requests.
	 * @param level the level
	 * @return the counts
	 */
	public LevelStatus status(Level level) {
		return locked(() -> this.levels.of(level).status());
	}

	private <T> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private static void complete(List<Seat> decided) {
		for (int i = 0; i < decided.size(); i++) {
			decided.get(i).complete();
		}
	}

}
