package dev.ratelimit.algorithm;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

import dev.ratelimit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TokenBucketTests {

	private static final long TODAY = 60_000_000_000L;

	private final TokenBucket algorithm = new TokenBucket();

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void retryAfterIsExactToTheMillisecond(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		for (int run = 0; run < 2000; run++) {
			LimitCalculator arithmetic = arithmetic(random.nextLong(1, 1000), random.nextLong(1, 100_000),
					random.nextLong(1000, 2000));
			long now = TODAY + random.nextLong(1000);
			long[] state = arithmetic.take(LimitCalculator.EMPTY, arithmetic.capacity(), now);
			long cost = random.nextLong(1, arithmetic.capacity() + 1);
			long wait = arithmetic.read(state, cost, false, now).retryAfterMillis();
			assertThat(arithmetic.fits(state, cost, now + wait)).as("seed %d run %d", seed, run).isTrue();
			assertThat(arithmetic.fits(state, cost, now + wait - 1)).as("seed %d run %d", seed, run).isFalse();
		}
	}

	@Test
	void neverAllowsMoreThanBurstAndRefillOverAnyWindow() {
		SplittableRandom random = new SplittableRandom(7);
		LimitCalculator arithmetic = arithmetic(7, 1000, 20);
		long[] state = LimitCalculator.EMPTY;
		long[] allowedAt = new long[10_000];
		int allowed = 0;
		long now = TODAY;
		while (allowed < allowedAt.length) {
			now += random.nextLong(300);
			if (arithmetic.fits(state, 1, now)) {
				state = arithmetic.take(state, 1, now);
				allowedAt[allowed++] = now;
			}
		}
		for (int from = 0; from < allowed; from++) {
			for (int to = from; to < Math.min(allowed, from + 200); to++) {
				long millis = allowedAt[to] - allowedAt[from];
				assertThat((to - from + 1 - 20) * 1000L).isLessThanOrEqualTo(7 * millis);
			}
		}
	}

	@Test
	void hammeringDoesNotStopTheRefill() {
		LimitCalculator arithmetic = arithmetic(1, 3_600_000, 1);
		long[] state = arithmetic.take(LimitCalculator.EMPTY, 1, TODAY);
		for (long now = TODAY; now < TODAY + 3_600_000; now += 997) {
			assertThat(arithmetic.fits(state, 1, now)).isFalse();
		}
		assertThat(arithmetic.fits(state, 1, TODAY + 3_600_000)).isTrue();
	}

	@Test
	void yearsOfIdlenessDoNotOverflow() {
		LimitCalculator arithmetic = arithmetic(10_000_000, 1000, 10_000_000);
		long[] state = arithmetic.take(LimitCalculator.EMPTY, 10_000_000, TODAY);
		long yearsLater = TODAY + Duration.ofDays(3650).toMillis();
		assertThat(arithmetic.read(state, 1, true, yearsLater).remaining()).isEqualTo(9_999_999);
	}

	@Test
	void aCostAboveCapacityNeverFits() {
		BucketSnapshot reading = arithmetic(10, 1000, 10).read(LimitCalculator.EMPTY, Long.MAX_VALUE, false, TODAY);
		assertThat(reading.fits()).isFalse();
		assertThat(reading.retryAfterMillis()).isEqualTo(Wait.NEVER);
		assertThat(reading.remaining()).isEqualTo(10);
	}

	@Test
	void aRefillThatIsTooFineIsReplacedByTheNearestSlowerOne() {
		Limit limit = new Limit("token-bucket", 999_983, Duration.ofDays(1), 999_983);
		LimitCalculator arithmetic = this.algorithm.arithmetic(limit);
		double wanted = 999_983 / 86_400_000.0;
		long[] numbers = arithmetic.luaArguments(0);
		double counted = numbers[0] / (double) numbers[1];
		assertThat(counted).isLessThanOrEqualTo(wanted).isGreaterThan(wanted * (1 - 1e-4));
		assertThat(arithmetic.precisionNote())
			.hasValueSatisfying((remark) -> assertThat(remark).startsWith("999983/d is"));
	}

	@Test
	void rejectsWhatItCannotCountExactly() {
		assertThatIllegalArgumentException().isThrownBy(() -> arithmetic(10_000_001, 1000, 1_000_000))
			.withMessageContaining("10,000,000/s");
		assertThatIllegalArgumentException().isThrownBy(() -> arithmetic(10_000_000, 1000, 9_999))
			.withMessageContaining("increase 'burst' to at least 10000");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> arithmetic(1, Duration.ofDays(365).toMillis(), 1_000_000_000_000L))
			.withMessageContaining("cannot be counted exactly");
	}

	@Test
	void creditIsGivenWhileSomethingIsLeftAndPaidBackFirst() {
		LimitCalculator arithmetic = this.algorithm
			.arithmetic(new Limit("token-bucket", 1, Duration.ofSeconds(1), 10, 50, Optional.empty(), false));
		long[] state = arithmetic.take(LimitCalculator.EMPTY, 9, TODAY);
		assertThat(arithmetic.fits(state, 52, TODAY)).isFalse();
		assertThat(arithmetic.fits(state, 51, TODAY)).isTrue();
		state = arithmetic.take(state, 51, TODAY);
		BucketSnapshot reading = arithmetic.read(state, 1, false, TODAY);
		assertThat(reading).isEqualTo(new BucketSnapshot(false, 0, 50_001, 60_000, 51_000));
		assertThat(arithmetic.read(state, 60, false, TODAY).retryAfterMillis()).isEqualTo(60_000);
		assertThat(arithmetic.read(state, 61, false, TODAY).retryAfterMillis()).isEqualTo(Wait.NEVER);
		assertThat(arithmetic.fits(state, 1, TODAY + 50_000)).isFalse();
		assertThat(arithmetic.fits(state, 1, TODAY + 50_001)).isTrue();
	}

	private LimitCalculator arithmetic(long quantity, long periodMillis, long burst) {
		return this.algorithm.arithmetic(new Limit("token-bucket", quantity, Duration.ofMillis(periodMillis), burst));
	}

}
