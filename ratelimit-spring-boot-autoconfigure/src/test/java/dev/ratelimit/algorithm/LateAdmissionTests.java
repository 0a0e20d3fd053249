package dev.ratelimit.algorithm;

import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.store.Demands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that requests that were allowed without a state are charged at the time of the
 * request.
 */
class LateAdmissionTests {

	private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

	/** The start of an hour. */
	private static final long START = TimeUnit.DAYS.toMillis(400);

	@Test
	void aFixedWindowTakesWhatWasAllowedInIt() {
		LimitCalculator fixed = new FixedWindow.FixedWindowCalculator(10, new EvenWindows(MINUTE));
		assertThat(used(fixed, late(fixed, START, START + MINUTE - 1), START + MINUTE - 1)).isEqualTo(3);
		assertThat(used(fixed, late(fixed, START - 1, START), START)).isZero();
		assertThat(used(fixed, late(fixed, START + 2, START + 1), START + 1)).isEqualTo(3);
		long[] state = fixed.take(LimitCalculator.EMPTY, 4, START);
		assertThat(used(fixed, fixed.takeLate(state, START - 1, 3, START), START)).isEqualTo(4);
	}

	@Test
	void aWindowOfTheCalendarTakesWhatWasAllowedInIt() {
		LimitCalculator hourly = new FixedWindow.FixedWindowCalculator(10,
				new CalendarWindows(new CalendarWindow(CalendarWindow.Unit.HOUR, ZoneId.of("UTC"))));
		long end = START + 60 * MINUTE;
		assertThat(used(hourly, late(hourly, START, end - 1), end - 1)).isEqualTo(3);
		assertThat(used(hourly, late(hourly, end - 1, end), end)).isZero();
		assertThat(used(hourly, late(hourly, START - 1, START), START)).isZero();
	}

	@Test
	void aSlidingWindowWeighsWhatWasAllowedInTheWindowBefore() {
		LimitCalculator sliding = new SlidingWindow.SlidingWindowCalculator(10, new EvenWindows(MINUTE));
		long half = START + MINUTE / 2;
		assertThat(used(sliding, late(sliding, START, half), half)).isEqualTo(3);
		assertThat(used(sliding, late(sliding, START - 1, START), START)).isEqualTo(3);
		assertThat(used(sliding, late(sliding, START - 1, half), half)).isEqualTo(2);
		assertThat(late(sliding, START - MINUTE - 1, half)).isEmpty();
	}

	@Test
	void aLogTakesWhatWasAllowedWithinThePeriod() {
		LimitCalculator log = new SlidingLog.SlidingLogCalculator(10, MINUTE);
		long[] state = late(log, START, START + MINUTE - 1);
		assertThat(used(log, state, START + MINUTE - 1)).isEqualTo(3);
		assertThat(used(log, state, START + MINUTE)).isZero();
		assertThat(late(log, START, START + MINUTE)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "leaky-bucket" })
	void aBucketThatRefillsEvenlyTakesWhatHasNotRefilledSince(String algorithm) {
		LimitCalculator even = Demands.family("late", new Limit(algorithm, 10, Duration.ofMinutes(1), 10)).calculator();
		assertThat(used(even, late(even, START, START), START)).isEqualTo(3);
		assertThat(used(even, late(even, START + 1, START), START)).isEqualTo(3);
		long[] state = late(even, START - 7_000, START);
		assertThat(even.fullInMillis(state, START)).isEqualTo(11_000);
		assertThat(late(even, START - 18_000, START)).isEmpty();
		long[] charged = even.take(LimitCalculator.EMPTY, 2, START);
		assertThat(even.fullInMillis(even.takeLate(charged, START - 7_000, 3, START), START)).isEqualTo(23_000);
	}

	@Test
	void aDebtIsAtMostOneCapacity() {
		LimitCalculator log = new SlidingLog.SlidingLogCalculator(10, MINUTE);
		LimitCalculator sliding = new SlidingWindow.SlidingWindowCalculator(10, new EvenWindows(MINUTE));
		long[] logged = log.takeLate(log.take(LimitCalculator.EMPTY, 10, START), START - 1, 1000, START);
		assertThat(log.look(logged, 0, START)[0]).isEqualTo(20);
		long[] weighed = sliding.takeLate(LimitCalculator.EMPTY, START - 1, 1000, START);
		assertThat(weighed).endsWith(20, 0);
	}

	private static long[] late(LimitCalculator calculator, long takenAtMillis, long nowMillis) {
		return calculator.takeLate(LimitCalculator.EMPTY, takenAtMillis, 3, nowMillis);
	}

	private static long used(LimitCalculator calculator, long[] state, long nowMillis) {
		long[] seen = calculator.look(state, 0, nowMillis);
		return calculator.capacity() - calculator.read(seen, 0, false, nowMillis).remaining();
	}

}
