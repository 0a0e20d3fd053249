package dev.ratelimit.load;

import java.util.Arrays;

import dev.ratelimit.Criticality.Level;
import org.jspecify.annotations.Nullable;

/**
 * The levels of requests, which determine the request that gets the next seat. Each level
 * is sure of its share. The seats that some levels do not use go to the highest level
 * with waiting requests. By priority alone, a flood of important requests would leave no
 * seats to the others. Not thread-safe, except for the methods that are marked so.
 */
final class SeatLevels {

	/**
	 * The number of requests ahead up to which a wait counts as promising. A level with
	 * few seats needs waiting requests, so that none of its seats is ever idle.
	 */
	private static final int SHORT_QUEUE = 4;

	/**
	 * The part of the maximum wait that a promising request may expect: one with few
	 * requests ahead, or in a burst. The expected wait is not known exactly.
	 */
	private static final double PROMISING_PART = 0.75;

	/**
	 * The part of the maximum wait that all other requests may expect. A long queue
	 * serves no more requests than a short one.
	 */
	private static final double USUAL_PART = 0.125;

	/**
	 * The part of the maximum wait for which a queue is a burst: requests that the
	 * instance has not read while it was paused, or that come by chance. A burst ends
	 * soon.
	 */
	private static final double BURST = 0.25;

	/** The levels, the most important one first. */
	private final SeatLevel[] levels;

	private final SeatLevel critical;

	private final double reserve;

	private final int queueLength;

	private final RecentRate seated = new RecentRate();

	private final @Nullable UtilizationShedder shedder;

	private int taken;

	private volatile int waiting;

	private long waitingSinceNanos;

	SeatLevels(LoadSettings settings, long nowNanos) {
		this.levels = Arrays.stream(Level.values())
			.map((level) -> new SeatLevel(level, settings.shares().getOrDefault(level, 0)))
			.toArray(SeatLevel[]::new);
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
	 * Whether a request of a level would have a seat at once, whatever waits.
	 * @param level the level
	 * @param seats how many seats there are
	 * @return whether a seat is left that no waiting request may have
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
	 * Whether requests may be shed although seats are free. Thread-safe.
	 * @return whether that is configured
	 */
	boolean watchesUse() {
		return this.shedder != null;
	}

	/**
	 * Whether a request is shed because the seats have been used too much for a while.
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
	 * The request that the next seat goes to.
	 * @param seats how many seats there are
	 * @return the request; null if none waits that may have a seat
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
	 * Whether one more request would wait for too long. The expected wait follows from
	 * the rate at which requests got seats lately: all requests if its level is within
	 * its share, else those of its level.
	 * @param level its level
	 * @param flow the flow of the request
	 * @param seats how many seats there are
	 * @param maxNanos how long it may wait
	 * @param nowNanos the time
	 * @return whether its wait would be in vain, or only make all waits longer
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
	 * The request that is shed in favor of another one if no more may wait: the newest of
	 * the longest flow, on a lower level if any request waits there.
	 * @param level the level of the other request
	 * @param flow the flow of the request
	 * @return the request; null if the other one has to go
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
