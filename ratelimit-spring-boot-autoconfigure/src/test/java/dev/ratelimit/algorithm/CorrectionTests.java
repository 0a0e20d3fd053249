package dev.ratelimit.algorithm;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the exact states after corrections: refunds of a charge in its window, debts of
 * at most one capacity, and states after the clock is set back.
 */
class CorrectionTests {

	private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

	/** The start of an hour. */
	private static final long START = TimeUnit.DAYS.toMillis(400);

	private final LimitCalculator fixed = new FixedWindow.FixedWindowCalculator(10, new EvenWindows(MINUTE));

	private final LimitCalculator sliding = new SlidingWindow.SlidingWindowCalculator(10, new EvenWindows(MINUTE));

	private final LimitCalculator log = new SlidingLog.SlidingLogCalculator(10, MINUTE);

	private final LimitCalculator slots = Algorithms.find("concurrency")
		.orElseThrow()
		.calculator(new Limit("concurrency", 10, Duration.ofMinutes(1), 10, 0, Optional.empty(), true));

	private static long[] state(long... numbers) {
		return numbers;
	}

	@Test
	void aFixedWindowIsRefundedOnlyWhatItWasCharged() {
		long closes = START + MINUTE;
		assertThat(this.fixed.take(LimitCalculator.EMPTY, 4, START)).containsExactly(closes, 4);
		assertThat(this.fixed.settle(state(closes, 4), START, -3, closes - 1)).containsExactly(closes, 1);
		assertThat(this.fixed.settle(state(closes, 4), START, -5, closes - 1)).containsExactly(closes, 0);
		assertThat(this.fixed.settle(state(closes, 4), closes - 1, -3, closes - 1)).containsExactly(closes, 1);
		assertThat(this.fixed.settle(state(closes, 4), START - 1, -3, closes - 1)).as("of the window before")
			.containsExactly(closes, 4);
		assertThat(this.fixed.settle(state(closes, 4), closes, -3, closes - 1)).as("of the next window")
			.containsExactly(closes, 4);
		assertThat(this.fixed.settle(state(closes, 4), START, -3, closes)).as("it has closed")
			.containsExactly(closes, 4);
		assertThat(this.fixed.settle(state(closes, 4), START, 0, START)).containsExactly(closes, 4);
	}

	@Test
	void theDebtOfAFixedWindowIsAtMostOneCapacity() {
		long closes = START + MINUTE;
		assertThat(this.fixed.settle(state(closes, 10), START, 3, START)).containsExactly(closes, 13);
		assertThat(this.fixed.settle(state(closes, 10), START, 11, START)).containsExactly(closes, 20);
		assertThat(this.fixed.settle(state(closes, 25), START, 1, START)).as("a former, larger limit")
			.containsExactly(closes, 25);
		assertThat(this.fixed.settle(LimitCalculator.EMPTY, START, 3, START)).containsExactly(closes, 3);
		assertThat(this.fixed.settle(state(closes, 4), START, 3, closes)).as("it has closed")
			.containsExactly(closes + MINUTE, 3);
	}

	@Test
	void aFixedWindowOfAClockThatWasSetBackIsCut() {
		long last = START + MINUTE;
		assertThat(this.fixed.cut(state(last, 4), START)).containsExactly(last, 4);
		assertThat(this.fixed.cut(state(last + 1, 4), START)).containsExactly(last, 4);
		assertThat(this.fixed.cut(state(last + 1, 0), START)).as("unused").containsExactly(last + 1, 0);
	}

	@Test
	void aWindowOfTheCalendarIsRefundedOnlyWhatItWasCharged() {
		LimitCalculator hourly = new FixedWindow.FixedWindowCalculator(10,
				new CalendarWindows(new CalendarWindow(CalendarWindow.Unit.HOUR, ZoneId.of("UTC"))));
		long closes = START + 60 * MINUTE;
		assertThat(hourly.take(LimitCalculator.EMPTY, 4, START)).containsExactly(closes, 4);
		assertThat(hourly.settle(state(closes, 4), START, -3, closes - 1)).containsExactly(closes, 1);
		assertThat(hourly.settle(state(closes, 4), START - 1, -3, START)).containsExactly(closes, 4);
		assertThat(hourly.settle(state(closes, 4), closes, -3, closes - 1)).containsExactly(closes, 4);
	}

	@Test
	void aSlidingWindowIsRefundedInTheWindowOfTheCharge() {
		long now = START + MINUTE / 2;
		assertThat(this.sliding.settle(state(START, 6, 4), START, -3, now)).containsExactly(START, 6, 1);
		assertThat(this.sliding.settle(state(START, 6, 4), START, -5, now)).containsExactly(START, 6, 0);
		assertThat(this.sliding.settle(state(START, 6, 4), START + MINUTE - 1, -3, now)).containsExactly(START, 6, 1);
		assertThat(this.sliding.settle(state(START, 6, 4), START - 1, -5, now)).containsExactly(START, 1, 4);
		assertThat(this.sliding.settle(state(START, 6, 4), START - MINUTE, -7, now)).containsExactly(START, 0, 4);
		assertThat(this.sliding.settle(state(START, 6, 4), START - MINUTE - 1, -3, now)).as("long ago")
			.containsExactly(START, 6, 4);
		assertThat(this.sliding.settle(state(START, 6, 4), START + MINUTE, -3, now)).as("of the next window")
			.containsExactly(START, 6, 4);
		assertThat(this.sliding.settle(state(START, 0, 4), START, -4, now)).as("nothing is left").isEmpty();
	}

	@Test
	void theDebtOfASlidingWindowIsAtMostOneCapacity() {
		assertThat(this.sliding.settle(state(START, 0, 10), START, 3, START)).containsExactly(START, 0, 13);
		assertThat(this.sliding.settle(state(START, 0, 10), START, 11, START)).containsExactly(START, 0, 20);
		assertThat(this.sliding.settle(state(START, 4, 10), START, 21, START + MINUTE / 2))
			.as("half of the window before counts")
			.containsExactly(START, 4, 18);
		assertThat(this.sliding.settle(state(START, 0, 25), START, 1, START)).containsExactly(START, 0, 25);
	}

	@Test
	void aSlidingWindowIsChargedLateInTheWindowOfThatTime() {
		assertThat(this.sliding.takeLate(state(START, 1, 2), START, 3, START + 1)).containsExactly(START, 1, 5);
		assertThat(this.sliding.takeLate(state(START, 1, 2), START - 1, 3, START + 1)).containsExactly(START, 4, 2);
		assertThat(this.sliding.takeLate(state(START, 1, 2), START - MINUTE, 3, START + 1)).containsExactly(START, 4,
				2);
		assertThat(this.sliding.takeLate(state(START, 1, 2), START - MINUTE - 1, 3, START + 1)).containsExactly(START,
				1, 2);
		assertThat(this.sliding.takeLate(state(START, 18, 0), START - 1, 5, START + 1)).containsExactly(START, 20, 0);
	}

	@Test
	void aSlidingWindowOfAClockThatWasSetBackIsCut() {
		assertThat(this.sliding.cut(state(START, 1, 2), START)).containsExactly(START, 1, 2);
		assertThat(this.sliding.cut(state(START + 1, 1, 2), START)).containsExactly(START, 1, 2);
		assertThat(this.sliding.cut(LimitCalculator.EMPTY, START)).isEmpty();
	}

	@Test
	void aLogForgetsTheUnitsOfTheChargeAlone() {
		long[] state = this.log.take(LimitCalculator.EMPTY, 3, START);
		state = this.log.take(state, 2, START + 10);
		state = this.log.take(state, 4, START + 20);
		assertThat(used(state, START + 20)).isEqualTo(9);
		state = this.log.settle(state, START + 10, -1, START + 20);
		assertThat(used(state, START + 20)).isEqualTo(8);
		assertThat(used(state, START + MINUTE)).as("the first ones have left").isEqualTo(5);
		assertThat(used(state, START + MINUTE + 10)).isEqualTo(4);
		state = this.log.settle(state, START + 10, -5, START + 20);
		assertThat(used(state, START + 20)).as("there was one more").isEqualTo(7);
		state = this.log.settle(state, START + 11, -5, START + 20);
		assertThat(used(state, START + 20)).as("nothing was charged then").isEqualTo(7);
		assertThat(this.log.settle(LimitCalculator.EMPTY, START, -1, START)).isEmpty();
	}

	@Test
	void theDebtOfALogIsAtMostOneCapacity() {
		long[] state = this.log.take(LimitCalculator.EMPTY, 10, START);
		state = this.log.settle(state, START, 3, START + 1);
		assertThat(used(state, START + 1)).isEqualTo(13);
		state = this.log.settle(state, START, 30, START + 2);
		assertThat(used(state, START + 2)).isEqualTo(20);
		assertThat(used(this.log.settle(state, START, 1, START + 2), START + 2)).isEqualTo(20);
		state = this.log.settle(state, START, 4, START + MINUTE);
		assertThat(used(state, START + MINUTE)).as("ten have left").isEqualTo(14);
	}

	@Test
	void aLogIsChargedLateAsOfThatTime() {
		long[] state = this.log.take(LimitCalculator.EMPTY, 1, START);
		state = this.log.takeLate(state, START - 10, 2, START + 5);
		assertThat(used(state, START + 5)).isEqualTo(3);
		assertThat(used(state, START - 10 + MINUTE)).isEqualTo(1);
		state = this.log.takeLate(state, START + 50, 2, START + 5);
		assertThat(used(state, START + 5 + MINUTE)).as("not later than now").isZero();
		state = this.log.take(LimitCalculator.EMPTY, 1, START);
		assertThat(used(this.log.takeLate(state, START + 5 - MINUTE, 2, START + 5), START + 5)).as("it has left")
			.isEqualTo(1);
	}

	@Test
	void aLogMovesItsEntriesWithoutLosingAny() {
		long[] state = LimitCalculator.EMPTY;
		for (int i = 0; i < 1000; i++) {
			long now = START + i * (MINUTE / 10);
			state = this.log.take(state, 1, now);
			assertThat(used(state, now)).isEqualTo(Math.min(i + 1, 10));
			assertThat(state).as("it does not grow with time").hasSizeLessThan(100);
		}
	}

	@Test
	void aLogWithoutAnythingLeftShowsTheUnitThatLeavesFirst() {
		long[] state = this.log.take(LimitCalculator.EMPTY, 4, START);
		long[] seen = this.log.seenOnceExhausted(this.log.look(state, 6, START + 5), 6, START + 5);
		assertThat(seen).containsExactly(10, START, START, START + 5);
		assertThat(this.log.seenOnceExhausted(new long[4], 10, START)).containsExactly(10, START, START, START);
		assertThat(this.log.seenForMore(seen, 3)).containsExactly(10, START + 5, START, START + 5);
	}

	@Test
	void aLogOfAClockThatWasSetBackIsCut() {
		long[] state = this.log.take(this.log.take(LimitCalculator.EMPTY, 1, START), 2, START + 10);
		state = this.log.cut(state, START + 5);
		assertThat(used(state, START + 5)).isEqualTo(3);
		assertThat(used(state, START + 5 + MINUTE)).isZero();
		assertThat(used(state, START + MINUTE)).isEqualTo(2);
	}

	@Test
	void slotsAreFreedOfTheInstanceThatHoldsThem() {
		LimitCalculator one = this.slots.heldBy(1);
		LimitCalculator other = this.slots.heldBy(2);
		long[] state = other.take(one.take(LimitCalculator.EMPTY, 3, START), 4, START + 10);
		assertThat(state).containsExactly(1, START, 3, 2, START + 10, 4);
		assertThat(one.holds(state)).isTrue();
		assertThat(this.slots.heldBy(3).holds(state)).isFalse();
		assertThat(other.settle(state.clone(), START, -1, START + 20)).as("a heartbeat is none of it")
			.containsExactly(1, START, 3, 2, START + 10, 3);
		assertThat(other.settle(state.clone(), START, -9, START + 20)).containsExactly(1, START, 3);
		assertThat(one.settle(state.clone(), START, -3, START + 20)).containsExactly(2, START + 10, 4);
		assertThat(this.slots.heldBy(3).settle(state.clone(), START, -1, START + 20)).containsExactly(state);
	}

	@Test
	void slotsOfAnInstanceWithoutHeartbeatAreFree() {
		LimitCalculator one = this.slots.heldBy(1);
		LimitCalculator other = this.slots.heldBy(2);
		long[] state = other.take(one.take(LimitCalculator.EMPTY, 3, START), 4, START + 10);
		assertThat(this.slots.look(state, 1, START + MINUTE - 1)).containsExactly(7, START + 10);
		assertThat(this.slots.look(state, 1, START + MINUTE)).containsExactly(4, START + 10);
		assertThat(other.take(state.clone(), 1, START + MINUTE)).containsExactly(2, START + MINUTE, 5);
		assertThat(one.hold(state.clone(), 2, START + 30)).containsExactly(1, START + 30, 2, 2, START + 10, 4);
		assertThat(one.hold(state.clone(), 0, START + 30)).containsExactly(2, START + 10, 4);
		assertThat(other.hold(state.clone(), 0, START + 30)).containsExactly(1, START, 3);
		assertThat(one.hold(LimitCalculator.EMPTY, 0, START)).isEmpty();
		assertThat(this.slots.cut(state.clone(), START + 5)).containsExactly(1, START, 3, 2, START + 5, 4);
	}

	@Test
	void theDebtOfSlotsIsAtMostOneCapacity() {
		LimitCalculator one = this.slots.heldBy(1);
		assertThat(one.settle(LimitCalculator.EMPTY, START, 3, START)).containsExactly(1, START, 3);
		assertThat(one.settle(state(1, START, 15), START, 3, START)).containsExactly(1, START, 18);
		assertThat(one.settle(state(1, START, 15), START, 9, START)).containsExactly(1, START, 20);
		assertThat(one.settle(state(1, START, 25), START, 1, START)).containsExactly(1, START, 25);
	}

	private long used(long[] state, long nowMillis) {
		return this.log.look(state, 0, nowMillis)[0];
	}

}
