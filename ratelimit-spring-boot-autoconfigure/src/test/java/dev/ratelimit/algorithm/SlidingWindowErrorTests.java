package dev.ratelimit.algorithm;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the estimate of the sliding window with the exact log, for one day of traffic.
 * The results are printed.
 */
@Tag("long")
@Tag("nightly")
class SlidingWindowErrorTests {

	private static final long TODAY = 60_000_000_000L;

	private static final long DAY = Duration.ofDays(1).toMillis();

	private static final long LIMIT = 100;

	private static final Duration PERIOD = Duration.ofMinutes(1);

	static Stream<Arguments> traffic() {
		return Stream.of(Arguments.of("steady, just above the limit", per(120), 0.05),
				Arguments.of("steady, twice the limit", per(200), 0.05),
				Arguments.of("bursts of 10 s each minute",
						(LongToDoubleFunction) (now) -> ((now - TODAY) % 60_000 < 10_000) ? 900 : 30, 0.4),
				Arguments.of("bursts of 20 s every 95 s",
						(LongToDoubleFunction) (now) -> ((now - TODAY) % 95_000 < 20_000) ? 500 : 10, 0.05),
				Arguments.of("diurnal, from nothing to twice the limit",
						(LongToDoubleFunction) (now) -> 100 - 100 * Math.cos((now - TODAY) * 2 * Math.PI / DAY), 0.05));
	}

	private static LongToDoubleFunction per(double perMinute) {
		return (now) -> perMinute;
	}

	@ParameterizedTest
	@MethodSource("traffic")
	void allowsAboutAsManyAsTheLog(String name, LongToDoubleFunction perMinute, double most) {
		Bucket window = new Bucket(new SlidingWindow());
		Bucket log = new Bucket(new SlidingLog());
		Bucket truth = new Bucket(new SlidingLog());
		SplittableRandom random = new SplittableRandom(5);
		int asked = 0;
		int differ = 0;
		long exceeded = 0;
		for (long now = TODAY; now < TODAY + DAY; now++) {
			if (random.nextDouble() < perMinute.applyAsDouble(now) / PERIOD.toMillis()) {
				asked++;
				log.takes(now);
				boolean exact = truth.fits(now);
				boolean estimated = window.takes(now);
				differ += (estimated != exact) ? 1 : 0;
				exceeded = Math.max(exceeded, (estimated) ? truth.record(now) : 0);
			}
		}
		System.out.printf(
				"sliding-window against sliding-log, %s: admits %+.2f %%, decides otherwise than an exact log of what it "
						+ "admitted would %.2f %%, most in one period %d of %d%n",
				name, 100.0 * (window.allowed - log.allowed) / log.allowed, 100.0 * differ / asked, exceeded, LIMIT);
		assertThat(Math.abs(window.allowed - log.allowed)).isLessThanOrEqualTo((int) (most * log.allowed));
		assertThat(exceeded).isLessThan(2 * LIMIT);
	}

	private static final class Bucket {

		private final LimitCalculator calculator;

		private long[] state = LimitCalculator.EMPTY;

		private int allowed;

		Bucket(Algorithm algorithm) {
			this.calculator = algorithm.calculator(new Limit(algorithm.id(), LIMIT, PERIOD, LIMIT));
		}

		boolean fits(long now) {
			return this.calculator.fits(this.calculator.look(this.state, 1, now), 1, now);
		}

		boolean takes(long now) {
			boolean fits = fits(now);
			this.state = (fits) ? this.calculator.take(this.state, 1, now) : this.state;
			this.allowed += (fits) ? 1 : 0;
			return fits;
		}

		// Charge a unit without a decision, and return the number of units within the
		// last period.
		long record(long now) {
			this.state = this.calculator.take(this.state, 1, now);
			return this.calculator.look(this.state, 0, now)[0];
		}

	}

}
