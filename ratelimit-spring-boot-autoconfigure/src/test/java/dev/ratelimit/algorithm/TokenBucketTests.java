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
			LimitCalculator calculator = calculator(random.nextLong(1, 1000), random.nextLong(1, 100_000),
					random.nextLong(1000, 2000));
			long now = TODAY + random.nextLong(1000);
			long[] state = calculator.take(LimitCalculator.EMPTY, calculator.capacity(), now);
			long cost = random.nextLong(1, calculator.capacity() + 1);
			long wait = calculator.read(state, cost, false, now).retryAfterMillis();
			assertThat(calculator.fits(state, cost, now + wait)).as("seed %d run %d", seed, run).isTrue();
			assertThat(calculator.fits(state, cost, now + wait - 1)).as("seed %d run %d", seed, run).isFalse();
		}
	}

	@Test
	void neverAllowsMoreThanBurstAndRefillOverAnyWindow() {
		SplittableRandom random = new SplittableRandom(7);
		LimitCalculator calculator = calculator(7, 1000, 20);
		long[] state = LimitCalculator.EMPTY;
		long[] allowedAt = new long[10_000];
		int allowed = 0;
		long now = TODAY;
		while (allowed < allowedAt.length) {
			now += random.nextLong(300);
			if (calculator.fits(state, 1, now)) {
				state = calculator.take(state, 1, now);
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
		LimitCalculator calculator = calculator(1, 3_600_000, 1);
		long[] state = calculator.take(LimitCalculator.EMPTY, 1, TODAY);
		for (long now = TODAY; now < TODAY + 3_600_000; now += 997) {
			assertThat(calculator.fits(state, 1, now)).isFalse();
		}
		assertThat(calculator.fits(state, 1, TODAY + 3_600_000)).isTrue();
	}

	@Test
	void yearsOfIdlenessDoNotOverflow() {
		LimitCalculator calculator = calculator(10_000_000, 1000, 10_000_000);
		long[] state = calculator.take(LimitCalculator.EMPTY, 10_000_000, TODAY);
		long yearsLater = TODAY + Duration.ofDays(3650).toMillis();
		assertThat(calculator.read(state, 1, true, yearsLater).remaining()).isEqualTo(9_999_999);
	}

	@Test
	void aCostAboveCapacityNeverFits() {
		BucketSnapshot reading = calculator(10, 1000, 10).read(LimitCalculator.EMPTY, Long.MAX_VALUE, false, TODAY);
		assertThat(reading.fits()).isFalse();
		assertThat(reading.retryAfterMillis()).isEqualTo(Wait.NEVER);
		assertThat(reading.remaining()).isEqualTo(10);
	}

	@Test
	void aRefillThatIsTooFineIsReplacedByTheNearestSlowerOne() {
		Limit limit = new Limit("token-bucket", 999_983, Duration.ofDays(1), 999_983);
		LimitCalculator calculator = this.algorithm.calculator(limit);
		double wanted = 999_983 / 86_400_000.0;
		long[] numbers = calculator.luaArguments(0);
		double counted = numbers[0] / (double) numbers[1];
		assertThat(counted).isLessThanOrEqualTo(wanted).isGreaterThan(wanted * (1 - 1e-4));
		assertThat(calculator.precisionNote())
			.hasValueSatisfying((remark) -> assertThat(remark).startsWith("999983/d is"));
	}

	@Test
	void rejectsWhatItCannotCountExactly() {
		assertThatIllegalArgumentException().isThrownBy(() -> calculator(10_000_001, 1000, 1_000_000))
			.withMessageContaining("10,000,000/s");
		assertThatIllegalArgumentException().isThrownBy(() -> calculator(10_000_000, 1000, 9_999))
			.withMessageContaining("increase 'burst' to at least 10000");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> calculator(1, Duration.ofDays(365).toMillis(), 1_000_000_000_000L))
			.withMessageContaining("cannot be counted exactly");
	}

	@Test
	void creditIsGivenWhileSomethingIsLeftAndPaidBackFirst() {
		LimitCalculator calculator = this.algorithm
			.calculator(new Limit("token-bucket", 1, Duration.ofSeconds(1), 10, 50, Optional.empty(), false));
		long[] state = calculator.take(LimitCalculator.EMPTY, 9, TODAY);
		assertThat(calculator.fits(state, 52, TODAY)).isFalse();
		assertThat(calculator.fits(state, 51, TODAY)).isTrue();
		state = calculator.take(state, 51, TODAY);
		BucketSnapshot reading = calculator.read(state, 1, false, TODAY);
		assertThat(reading).isEqualTo(new BucketSnapshot(false, 0, 50_001, 60_000, 51_000));
		assertThat(calculator.read(state, 60, false, TODAY).retryAfterMillis()).isEqualTo(60_000);
		assertThat(calculator.read(state, 61, false, TODAY).retryAfterMillis()).isEqualTo(Wait.NEVER);
		assertThat(calculator.fits(state, 1, TODAY + 50_000)).isFalse();
		assertThat(calculator.fits(state, 1, TODAY + 50_001)).isTrue();
	}

	private LimitCalculator calculator(long quantity, long periodMillis, long burst) {
		return this.algorithm.calculator(new Limit("token-bucket", quantity, Duration.ofMillis(periodMillis), burst));
	}

}
