package dev.ratelimit.store;

import java.time.Duration;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of a store whose clock is set back: it rejects for as long as the limit
 * says, and not until the clock has caught up.
 */
interface ClockContract extends StoreUnderTest {

	/**
	 * Not a whole number of windows, so that the clock is set back to the middle of a
	 * window.
	 */
	long BEFORE = Duration.ofHours(2).toMillis() + 123_456;

	long WINDOW = Duration.ofMinutes(10).toMillis();

	@TestFactory
	default Stream<DynamicTest> aClockThatIsSetBackLocksOutForTwoWindowsAtMost() {
		return eachStep((family, back) -> {
			long now = exhaustAndSetBack(family, back);
			Verdict verdict = tryAcquire(Demands.charge(family, "ann", 1)).verdicts().get(0);
			assertThat(verdict.remaining()).isZero();
			assertThat(verdict.retryAfterMillis()).isBetween(1L, 2 * WINDOW);
			assertThat(verdict.resetAfterMillis()).isBetween(1L, 2 * WINDOW);
			at(now + 2 * WINDOW);
			assertThat(allowed(family, 20)).isEqualTo(10);
		});
	}

	@TestFactory
	default Stream<DynamicTest> aClientThatWaitsAsToldIsAllowed() {
		return eachStep((family, back) -> {
			long now = exhaustAndSetBack(family, back);
			Verdict verdict = tryAcquire(Demands.charge(family, "ann", 1)).verdicts().get(0);
			// The time at which a slot becomes free is unknown, so clients get a short
			// wait.
			long wait = (Algorithms.find(family.algorithm()).orElseThrow().countsConcurrentRequests()) ? WINDOW
					: verdict.retryAfterMillis();
			at(now + wait - 1);
			assertThat(allows(Demands.charge(family, "ann", 1))).isFalse();
			at(now + wait);
			assertThat(allows(Demands.charge(family, "ann", 1))).isTrue();
		});
	}

	@TestFactory
	default Stream<DynamicTest> aLookThatChargesNothingEndsTheLockoutToo() {
		return eachStep((family, back) -> {
			long now = exhaustAndSetBack(family, back);
			assertThat(remaining(family, "ann")).isZero();
			at(now + 2 * WINDOW);
			assertThat(remaining(family, "ann")).isEqualTo(10);
		});
	}

	private long exhaustAndSetBack(BucketFamily family, long back) {
		at(BEFORE);
		assertThat(allowed(family, 20)).isEqualTo(10);
		at(BEFORE - back);
		return BEFORE - back;
	}

	private long allowed(BucketFamily family, int requests) {
		return IntStream.range(0, requests).filter((number) -> allows(Demands.charge(family, "ann", 1))).count();
	}

	private static Stream<DynamicTest> eachStep(ObjLongConsumer<BucketFamily> test) {
		return Algorithms.ids()
			.stream()
			.flatMap(
					(algorithm) -> Stream.of(Duration.ofSeconds(1), Duration.ofMinutes(30), Duration.ofHours(1))
						.map((back) -> DynamicTest.dynamicTest(algorithm + " by " + back,
								() -> test.accept(
										Demands.family(algorithm + back.toSeconds(),
												new Limit(algorithm, 10, Duration.ofMillis(WINDOW), 10)),
										back.toMillis()))));
	}

}
