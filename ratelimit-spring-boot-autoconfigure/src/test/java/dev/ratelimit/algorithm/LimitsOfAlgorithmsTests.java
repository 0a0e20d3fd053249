package dev.ratelimit.algorithm;

import java.time.Duration;

import dev.ratelimit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests the limits that each algorithm supports, and the rejection of others.
 */
class LimitsOfAlgorithmsTests {

	private static final long TODAY = 60_000_000_000L;

	private static final long YEAR = Duration.ofDays(365).toMillis();

	@ParameterizedTest
	@CsvSource({ "fixed-window, 10_000_000, 1000", "gcra, 10_000, 1000", "sliding-window, 10_000_000, 1000",
			"leaky-bucket, 10_000, 1000", "sliding-log, 10_000, 1", "concurrency, 1_000_000_000_000, 1" })
	void countsTheFastest(String algorithm, String quantity, long periodMillis) {
		long most = Long.parseLong(quantity.replace("_", ""));
		countsItsCapacityAndNoMore(calculator(algorithm, most, periodMillis, most));
	}

	@ParameterizedTest
	@CsvSource({ "token-bucket", "fixed-window", "gcra", "sliding-window", "leaky-bucket", "sliding-log",
			"concurrency" })
	void countsTheSlowest(String algorithm) {
		countsItsCapacityAndNoMore(calculator(algorithm, 1, YEAR, 1));
	}

	private static void countsItsCapacityAndNoMore(LimitCalculator calculator) {
		long[] state = calculator.take(LimitCalculator.EMPTY, calculator.capacity(), TODAY);
		assertThat(fits(calculator, state, 1, TODAY)).isFalse();
		long later = TODAY + calculator.fullInMillis(state, TODAY);
		assertThat(fits(calculator, state, calculator.capacity(), later - 1)).isFalse();
		assertThat(fits(calculator, state, calculator.capacity(), later)).isTrue();
		assertThat(fits(calculator, state, calculator.capacity(), TODAY + 10 * YEAR)).isTrue();
		assertThat(fits(calculator, state, Long.MAX_VALUE, TODAY)).isFalse();
	}

	private static boolean fits(LimitCalculator calculator, long[] state, long cost, long nowMillis) {
		return calculator.fits(calculator.look(state, cost, nowMillis), cost, nowMillis);
	}

	@ParameterizedTest
	@CsvSource({ "concurrency, 1000000000001, 1000, 1000000000001, 000 concurrent requests",
			"fixed-window, 10, 1000, 20, does not support 'burst'", "gcra, 10001, 1000, 10001, use token-bucket",
			"sliding-log, 10001, 1000, 10001, use sliding-window",
			"sliding-log, 10, 1000, 20, does not support 'burst'", "leaky-bucket, 10001, 1000, 10001, use token-bucket",
			"gcra, 1, 31536000000, 1000000, counted exactly", "sliding-window, 10, 1000, 20, does not support 'burst'",
			"sliding-window, 100000, 31536000000, 100000, shorten the period",
			"fixed-window, 9007199254740991, 1000, 9007199254740991, counted exactly" })
	void rejectsInWordsWhatItCannotCount(String algorithm, long quantity, long periodMillis, long burst, String words) {
		assertThatIllegalArgumentException().isThrownBy(() -> calculator(algorithm, quantity, periodMillis, burst))
			.withMessageContaining(words);
	}

	@Test
	void gcraSaysWhereItIsSlower() {
		assertThat(calculator("gcra", 3, 1000, 3).precisionNote()).hasValue(
				"3/s is counted as 1 per 333334 microseconds, which is slower by less than 1 microsecond per unit");
		assertThat(calculator("gcra", 10, 1000, 3).precisionNote()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "token-bucket, 10, 10, 20", "gcra, 10, 10, 20", "leaky-bucket, 10, 10, 20", "fixed-window, 10, 20, 20",
			"sliding-window, 10, 20, 20", "sliding-log, 10, 20, 20", "concurrency, 10, 20, 20" })
	void burstDoesNotChangeMeaning(String algorithm, long before, long after, long burst) {
		assertThat(calculator(algorithm, after, 1000, burst).meaning())
			.isEqualTo(calculator(algorithm, before, 1000, before).meaning());
		assertThat(calculator(algorithm, before, 2000, before).meaning())
			.isNotEqualTo(calculator(algorithm, before, 1000, before).meaning());
	}

	private static LimitCalculator calculator(String algorithm, long quantity, long periodMillis, long burst) {
		return Algorithms.find(algorithm)
			.orElseThrow()
			.calculator(new Limit(algorithm, quantity, Duration.ofMillis(periodMillis), burst));
	}

}
