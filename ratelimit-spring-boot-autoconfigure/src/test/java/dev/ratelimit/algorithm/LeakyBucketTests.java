package dev.ratelimit.algorithm;

import java.time.Duration;
import java.util.SplittableRandom;

import dev.ratelimit.Limit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeakyBucketTests {

	private static final long TODAY = 60_000_000_000L;

	// At 3 per second, the interval is 333,334 microseconds.
	private final LimitCalculator calculator = new LeakyBucket()
		.calculator(new Limit("leaky-bucket", 3, Duration.ofSeconds(1), 20));

	@Test
	void requestsGoOnNoFasterThanTheRate() {
		SplittableRandom random = new SplittableRandom(11);
		long[] state = LimitCalculator.EMPTY;
		long now = TODAY;
		long[] went = new long[5000];
		int allowed = 0;
		while (allowed < went.length) {
			now += random.nextLong(600);
			BucketSnapshot reading = this.calculator.read(state, 1, this.calculator.fits(state, 1, now), now);
			if (reading.fits()) {
				assertThat(reading.delayMillis()).isBetween(0L, 19 * 334L);
				state = this.calculator.take(state, 1, now);
				went[allowed++] = now + reading.delayMillis();
			}
		}
		for (int i = 3; i < allowed; i++) {
			assertThat(went[i] - went[i - 3]).isGreaterThanOrEqualTo(1000);
			assertThat(went[i] - went[i - 1]).isGreaterThanOrEqualTo(333);
		}
	}

	@Test
	void peekAndRejectedRequestAreNotDelayed() {
		long[] state = this.calculator.take(LimitCalculator.EMPTY, 20, TODAY);
		assertThat(this.calculator.read(state, 0, false, TODAY).delayMillis()).isZero();
		assertThat(this.calculator.read(state, 1, false, TODAY).delayMillis()).isZero();
	}

}
