package dev.ratelimit.queue;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests the estimated time of the next units.
 */
class DrainRateTests {

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	@Test
	void beginsWithAGuess() {
		DrainRate rate = new DrainRate(100.0 / SECOND, 2 * SECOND, 0);
		assertThat(rate.nanosFor(50, 0)).isCloseTo(SECOND / 2, within(1000L));
		assertThat(rate.nanosFor(0, 0)).isZero();
	}

	@Test
	void becomesWhatWasGotLately() {
		DrainRate rate = new DrainRate(100.0 / SECOND, 2 * SECOND, 0);
		for (int i = 1; i <= 200; i++) {
			rate.served(1, i * SECOND / 10);
		}
		assertThat(rate.nanosFor(10, 20 * SECOND)).isCloseTo(SECOND, within(SECOND / 10));
	}

	@Test
	void aQueueThatGetsNothingDrainsNoMore() {
		DrainRate rate = new DrainRate(100.0 / SECOND, 2 * SECOND, 0);
		assertThat(rate.nanosFor(1, 30 * SECOND)).isGreaterThan(10 * SECOND);
		assertThat(rate.nanosFor(1, 30_000 * SECOND)).isPositive();
	}

	@Test
	void withoutAGuessNothingTakesTime() {
		DrainRate rate = new DrainRate(Double.POSITIVE_INFINITY, 2 * SECOND, 0);
		rate.served(1, SECOND);
		assertThat(rate.nanosFor(1000, 2 * SECOND)).isZero();
	}

}
