package dev.ratelimit.load;

import java.util.Arrays;

import dev.ratelimit.Criticality.Level;
import org.jspecify.annotations.Nullable;

/**
 * The levels of requests, which determine the request that receives the next seat. The
 * share of each level is guaranteed, because with priorities alone, many important
 * requests would leave no seats to other requests. Seats that levels do not use go to
 * levels that have recently used less than their share, or else to the highest level with
 * waiting requests. Not thread-safe, except for methods that are documented as
 * thread-safe.
 */
final class SeatLevels {

	/**
	 * The number of requests ahead up to which a wait counts as promising. A level with
	 * few seats needs some waiting requests, so that its seats are never idle.
	 */
	private static final int SHORT_QUEUE = 4;

	/**
	 * The maximum expected wait of a promising request, as a part of the maximum wait.
	 * Promising requests have few requests ahead, or arrive in a burst. The part is less
	 * than 1, because the expected wait is inaccurate.
	 */
	private static final double PROMISING_PART = 0.75;

	/**
	 * The maximum expected wait of all other requests, as a part of the maximum wait. It
	 * is short, because a long queue does not increase the throughput.
	 */
	private static final double USUAL_PART = 0.125;

	/**
	 * The maximum age of a queue that counts as a burst, as a part of the maximum wait. A
	 * burst consists of requests that arrived while the instance was paused, or at the
	 * same time by chance, and ends soon.
	 */
	private static final double BURST = 0.25;

	/** The levels, the most important one first. */
	private final SeatLevel[] levels;

	private final SeatLevel critical;

	private final double reserve;

	private final int queueLength;

	private final RecentRate seated;

	private final @Nullable UtilizationShedder shedder;

	private int taken;

	private volatile int waiting;

	private long waitingSinceNanos;

	SeatLevels(LoadSettings settings, long nowNanos) {
		this.levels = Arrays.stream(Level.values())
			.map((level) -> new SeatLevel(level, settings.shares().getOrDefault(level, 0), nowNanos))
			.toArray(SeatLevel[]::new);
		this.seated = new RecentRate(nowNanos);
		this.critical = of(Level.CRITICAL);
		this.reserve = settings.reserve() / 100.0;
		this.queueLength = settings.queueLength();
		this.shedder = settings.shedder(nowNanos);
	}

	SeatLevel of(Level level) {
		return this.levels[level.ordinal()];
	}

	/**
	 * Return the number of requests that wait. Thread-safe.
	 * @return the number
	 */
	int waiting() {
		return this.waiting;
	}

	boolean isFull() {
		return this.waiting >= this.queueLength;
	}

	/**
	 * Return the number of seats that are taken.
	 * @return the number
	 */
	int taken() {
		return this.taken;
	}

	/**
	 * Return whether a request of a level can take a seat immediately. Waiting requests
	 * of other levels are ignored.
	 * @param level the level
	 * @param seats the number of seats
	 * @return whether there is a free seat for the level, and no request of the level
	 * waits
	 */
	boolean hasSeat(SeatLevel level, int seats) {
		return level.waiting == 0 && hasCapacity(level, seats);
	}

	private boolean hasCapacity(SeatLevel level, int seats) {
		return this.taken < seats
				&& (level == this.critical || this.taken - this.critical.taken < seats - (int) (this.reserve * seats));
	}

	void take(Seat seat, long nowNanos) {
		changeTaken(1, nowNanos);
		this.seated.add(nowNanos);
		of(seat.level).take(seat, nowNanos);
	}

	void free(Seat seat, long nowNanos) {
		changeTaken(-1, nowNanos);
		of(seat.level).free(seat, nowNanos);
	}

	private void changeTaken(int by, long nowNanos) {
		this.taken += by;
		if (this.shedder != null) {
			this.shedder.uses(this.taken, nowNanos);
		}
	}

	/**
	 * Return whether requests may be shed while seats are free. Thread-safe.
	 * @return whether shedding by utilization is configured
	 */
	boolean watchesUse() {
		return this.shedder != null;
	}

	/**
	 * Return whether a request is shed because the utilization of the seats was too high
	 * for a while.
	 * @param level its level
	 * @param flow the flow of the request
	 * @param nowNanos the time
	 * @return whether it is shed
	 */
	boolean isOverused(Level level, String flow, long nowNanos) {
		return this.shedder != null && this.shedder.sheds(level, flow, nowNanos);
	}

	void enqueue(Seat seat) {
		int before = this.waiting;
		if (before == 0) {
			this.waitingSinceNanos = seat.sinceNanos;
		}
		this.waiting = before + 1;
		of(seat.level).enqueue(seat);
	}

	void dequeue(Seat seat) {
		int before = this.waiting;
		this.waiting = before - 1;
		of(seat.level).dequeue(seat);
	}

	/**
	 * Return the request that receives the next seat.
	 * @param seats the number of seats
	 * @return the request; null if no waiting request can have a seat
	 */
	@Nullable Seat next(int seats) {
		Seat highest = null;
		Seat saved = null;
		double most = 0;
		for (SeatLevel level : this.levels) {
			if (level.waiting > 0 && hasCapacity(level, seats)) {
				Seat first = level.next();
				if (level.isBelowShare(0, seats)) {
					return first;
				}
				highest = (highest != null) ? highest : first;
				double part = level.saved(first.flow, seats);
				saved = (part > most) ? first : saved;
				most = Math.max(part, most);
			}
		}
		return (saved != null) ? saved : highest;
	}

	/**
	 * Return whether one more request would wait for too long. The expected wait follows
	 * from the rate at which requests have recently received seats: all requests if the
	 * level is within its share, or else the requests of the level.
	 * @param level its level
	 * @param flow the flow of the request
	 * @param seats the number of seats
	 * @param maxNanos the maximum wait in nanoseconds
	 * @param nowNanos the time
	 * @return whether it would wait in vain, or only increase all waits
	 */
	boolean isTooLong(SeatLevel level, String flow, int seats, long maxNanos, long nowNanos) {
		int ahead = level.ahead(flow);
		double rate = (level.isBelowShare(ahead, seats) || level.saved(flow, seats) > 0) ? this.seated.at(nowNanos)
				: level.rate(nowNanos);
		boolean promising = ahead <= SHORT_QUEUE || isBurst(maxNanos, nowNanos);
		return ahead > 0 && ahead / rate > maxNanos * ((promising) ? PROMISING_PART : USUAL_PART);
	}

	private boolean isBurst(long maxNanos, long nowNanos) {
		return this.waiting == 0 || nowNanos - this.waitingSinceNanos < BURST * maxNanos;
	}

	/**
	 * Return the waiting request that is shed in favor of another request if the queue is
	 * full: the newest request of the longest flow, on a lower level if requests wait
	 * there.
	 * @param level the level of the other request
	 * @param flow the flow of the request
	 * @return the waiting request; null if the other request is shed
	 */
	@Nullable Seat givesWay(SeatLevel level, String flow) {
		for (int lowest = this.levels.length - 1; lowest > level.level.ordinal(); lowest--) {
			if (this.levels[lowest].waiting > 0) {
				return this.levels[lowest].longest().newest();
			}
		}
		SeatFlow longest = (level.waiting > 0) ? level.longest() : null;
		return (longest != null && longest.waiting() > level.waiting(flow) + 1) ? longest.newest() : null;
	}

}
