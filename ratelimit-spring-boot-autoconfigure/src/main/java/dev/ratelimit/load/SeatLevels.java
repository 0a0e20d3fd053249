package dev.ratelimit.load;

import java.util.Arrays;

import dev.ratelimit.Criticality.Level;
import org.jspecify.annotations.Nullable;

/**
 * Which level the next seat goes to. Each is sure of its share; what some do not use goes
 * to the highest level that waits. By priority alone, a flood of important requests would
 * leave the others nothing. Not thread-safe, but for {@link #waiting}.
 */
final class SeatLevels {

	/** Most important first. */
	private final SeatLevel[] levels;

	private final SeatLevel critical;

	private final double reserve;

	private final RecentRate seated = new RecentRate();

	private int taken;

	private volatile int waiting;

	SeatLevels(LoadSettings settings) {
		this.levels = Arrays.stream(Level.values())
			.map((level) -> new SeatLevel(level, settings.shares().getOrDefault(level, 0)))
			.toArray(SeatLevel[]::new);
		this.critical = of(Level.CRITICAL);
		this.reserve = settings.reserve() / 100.0;
	}

	SeatLevel of(Level level) {
		return this.levels[level.ordinal()];
	}

	/**
	 * How many requests wait. Any thread may ask.
	 * @return how many
	 */
	int waiting() {
		return this.waiting;
	}

	/**
	 * How many seats are taken.
	 * @return how many
	 */
	int taken() {
		return this.taken;
	}

	/**
	 * Whether a request of a level would have a seat at once, whoever waits.
	 * @param level the level
	 * @param seats how many seats there are
	 * @return whether a seat is left that none of those who wait may have
	 */
	boolean hasSeat(SeatLevel level, int seats) {
		return level.waiting == 0 && hasRoom(level, seats);
	}

	private boolean hasRoom(SeatLevel level, int seats) {
		return this.taken < seats
				&& (level == this.critical || this.taken - this.critical.taken < seats - (int) (this.reserve * seats));
	}

	void take(Seat seat, long nowNanos) {
		this.taken++;
		this.seated.add(nowNanos);
		of(seat.level).take(seat, nowNanos);
	}

	void free(Seat seat) {
		this.taken--;
		of(seat.level).free(seat);
	}

	void enqueue(Seat seat) {
		int before = this.waiting;
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
		SeatLevel next = null;
		for (SeatLevel level : this.levels) {
			if (level.waiting > 0 && hasRoom(level, seats)) {
				if (level.isBelowShare(0, seats)) {
					return level.next();
				}
				next = (next != null) ? next : level;
			}
		}
		return (next != null) ? next.next() : null;
	}

	/**
	 * How long one more request would wait: within its share for all that get seats, else
	 * for those of its level.
	 * @param level its level
	 * @param flow whose request it is
	 * @param seats how many seats there are
	 * @param nowNanos the time
	 * @return nanoseconds, about
	 */
	double waitNanos(SeatLevel level, String flow, int seats, long nowNanos) {
		int ahead = level.ahead(flow);
		boolean own = ahead > 0 && !level.isBelowShare(ahead, seats);
		return (ahead > 0) ? ahead / ((own) ? level.rate(nowNanos) : this.seated.at(nowNanos)) : 0;
	}

	/**
	 * The request that gives way to another one if no more may wait: the newest of the
	 * longest flow, on a lower level if any waits there.
	 * @param level the level of the other request
	 * @param flow whose request it is
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
