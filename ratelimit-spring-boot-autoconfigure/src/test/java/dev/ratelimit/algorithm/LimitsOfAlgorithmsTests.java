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
		countsItsCapacityAndNoMore(arithmetic(algorithm, most, periodMillis, most));
	}

	@ParameterizedTest
	@CsvSource({ "token-bucket", "fixed-window", "gcra", "sliding-window", "leaky-bucket", "sliding-log",
			"concurrency" })
	void countsTheSlowest(String algorithm) {
		countsItsCapacityAndNoMore(arithmetic(algorithm, 1, YEAR, 1));
	}

	private static void countsItsCapacityAndNoMore(LimitCalculator arithmetic) {
		long[] state = arithmetic.take(LimitCalculator.EMPTY, arithmetic.capacity(), TODAY);
		assertThat(fits(arithmetic, state, 1, TODAY)).isFalse();
		long later = TODAY + arithmetic.fullInMillis(state, TODAY);
		assertThat(fits(arithmetic, state, arithmetic.capacity(), later - 1)).isFalse();
		assertThat(fits(arithmetic, state, arithmetic.capacity(), later)).isTrue();
		assertThat(fits(arithmetic, state, arithmetic.capacity(), TODAY + 10 * YEAR)).isTrue();
		assertThat(fits(arithmetic, state, Long.MAX_VALUE, TODAY)).isFalse();
	}

	private static boolean fits(LimitCalculator arithmetic, long[] state, long cost, long nowMillis) {
		return arithmetic.fits(arithmetic.look(state, cost, nowMillis), cost, nowMillis);
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
		assertThatIllegalArgumentException().isThrownBy(() -> arithmetic(algorithm, quantity, periodMillis, burst))
			.withMessageContaining(words);
	}

	@Test
	void gcraSaysWhereItIsSlower() {
		assertThat(arithmetic("gcra", 3, 1000, 3).precisionNote()).hasValue(
				"3/s is counted as 1 per 333334 microseconds, which is slower by less than 1 microsecond per unit");
		assertThat(arithmetic("gcra", 10, 1000, 3).precisionNote()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "token-bucket, 10, 10, 20", "gcra, 10, 10, 20", "leaky-bucket, 10, 10, 20", "fixed-window, 10, 20, 20",
			"sliding-window, 10, 20, 20", "sliding-log, 10, 20, 20", "concurrency, 10, 20, 20" })
	void burstDoesNotChangeMeaning(String algorithm, long before, long after, long burst) {
		assertThat(arithmetic(algorithm, after, 1000, burst).meaning())
			.isEqualTo(arithmetic(algorithm, before, 1000, before).meaning());
		assertThat(arithmetic(algorithm, before, 2000, before).meaning())
			.isNotEqualTo(arithmetic(algorithm, before, 1000, before).meaning());
	}

	private static LimitCalculator arithmetic(String algorithm, long quantity, long periodMillis, long burst) {
		return Algorithms.find(algorithm)
			.orElseThrow()
			.arithmetic(new Limit(algorithm, quantity, Duration.ofMillis(periodMillis), burst));
	}

}
