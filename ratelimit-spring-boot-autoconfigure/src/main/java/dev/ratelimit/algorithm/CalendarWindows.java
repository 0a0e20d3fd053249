package dev.ratelimit.algorithm;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import dev.ratelimit.CalendarWindow;

/**
 * Windows that begin at full hours, at midnights, or with weeks or months of a time zone.
 * If local clocks skip such a time, the window begins when they are set forward. A full
 * hour that local clocks show twice begins two windows; a midnight that they show twice
 * begins one. Windows are not moved: if the clock is set back to before a window began,
 * the window stays open until it ends, or until the end of the window after the current
 * one.
 */
final class CalendarWindows implements Windows {

	private static final long EPOCH_MILLIS = TimeUnit.SECONDS.toMillis(LimitCalculator.EPOCH_SECONDS);

	private static final int START = 1;

	private static final int CLOSES = 2;

	private static final int NEXT_CLOSES = 3;

	private final CalendarWindow calendar;

	private final ZoneId zone;

	/**
	 * The latest bounds: 0 in place of a length, the start and the end of a window, and
	 * the end of the next window.
	 */
	private volatile long[] latest = { 0, 0, 0, 0 };

	CalendarWindows(CalendarWindow calendar) {
		this.calendar = calendar;
		this.zone = calendar.zone();
	}

	@Override
	public long closesMillis(long atMillis, long formerMillis) {
		return luaArguments(atMillis)[CLOSES];
	}

	@Override
	public long lastMillis(long nowMillis) {
		return luaArguments(nowMillis)[NEXT_CLOSES];
	}

	@Override
	public boolean holds(long closesMillis, long atMillis, long nowMillis) {
		return luaArguments(atMillis)[CLOSES] == closesMillis && closesMillis <= luaArguments(nowMillis)[NEXT_CLOSES];
	}

	@Override
	public boolean reaches(long closesMillis, long atMillis, long nowMillis) {
		return luaArguments(atMillis)[CLOSES] == luaArguments(nowMillis)[CLOSES];
	}

	@Override
	public long longestMillis() {
		return this.calendar.unit().duration().toMillis() + switch (this.calendar.unit()) {
			case HOUR -> TimeUnit.HOURS.toMillis(1);
			case DAY, WEEK, MONTH -> TimeUnit.DAYS.toMillis(1);
		};
	}

	@Override
	public long[] luaArguments(long nowMillis) {
		long[] bounds = this.latest;
		if (nowMillis < bounds[START] || nowMillis >= bounds[CLOSES]) {
			long closes = nextAfter(nowMillis);
			bounds = new long[] { 0, lastUpTo(nowMillis), closes, nextAfter(closes) };
			this.latest = bounds;
		}
		return bounds;
	}

	@Override
	public String toString() {
		return this.calendar.unit() + " " + this.zone;
	}

	private long nextAfter(long atMillis) {
		LocalDateTime candidate = unitOf(atMillis);
		while (true) {
			for (long start : starts(candidate)) {
				if (start > atMillis) {
					return start;
				}
			}
			candidate = plus(candidate, 1);
		}
	}

	private long lastUpTo(long atMillis) {
		LocalDateTime candidate = plus(unitOf(atMillis), 1);
		while (true) {
			long[] starts = starts(candidate);
			for (int i = starts.length - 1; i >= 0; i--) {
				if (starts[i] <= atMillis) {
					return starts[i];
				}
			}
			candidate = plus(candidate, -1);
		}
	}

	private LocalDateTime unitOf(long atMillis) {
		LocalDateTime local = LocalDateTime.ofInstant(Instant.ofEpochMilli(atMillis + EPOCH_MILLIS), this.zone);
		return switch (this.calendar.unit()) {
			case HOUR -> local.truncatedTo(ChronoUnit.HOURS);
			case DAY -> local.truncatedTo(ChronoUnit.DAYS);
			case WEEK -> local.truncatedTo(ChronoUnit.DAYS).with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
			case MONTH -> local.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
		};
	}

	private LocalDateTime plus(LocalDateTime local, int units) {
		return switch (this.calendar.unit()) {
			case HOUR -> local.plusHours(units);
			case DAY -> local.plusDays(units);
			case WEEK -> local.plusWeeks(units);
			case MONTH -> local.plusMonths(units);
		};
	}

	// The moments at which local clocks show a time, in their order.
	private long[] starts(LocalDateTime local) {
		ZonedDateTime first = local.atZone(this.zone);
		LongStream all = LongStream.of(millis(first));
		if (this.calendar.unit() == CalendarWindow.Unit.HOUR) {
			all = LongStream.of(millis(first), millis(first.withLaterOffsetAtOverlap()));
		}
		return all.toArray();
	}

	private static long millis(ZonedDateTime time) {
		return time.toInstant().toEpochMilli() - EPOCH_MILLIS;
	}

}
