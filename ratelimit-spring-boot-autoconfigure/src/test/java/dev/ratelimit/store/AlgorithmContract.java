package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.test.Parallel;
import dev.ratelimit.test.RandomLimits;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of a store with each algorithm.
 */
interface AlgorithmContract extends StoreUnderTest {

	private static Stream<DynamicTest> each(Consumer<String> test) {
		return Algorithms.ids()
			.stream()
			.map((algorithm) -> DynamicTest.dynamicTest(algorithm, () -> test.accept(algorithm)));
	}

	private static BucketFamily perHour(String algorithm, long quantity) {
		return Demands.family(algorithm, new Limit(algorithm, quantity, Duration.ofHours(1), quantity));
	}

	// Return a limit with another capacity that uses the same bucket.
	private static BucketFamily retuned(BucketFamily family, long capacity) {
		Limit limit = family.policy().limit().orElseThrow();
		boolean bursts = RandomLimits.bursts(limit.algorithm());
		return Demands.family(limit.algorithm(),
				new Limit(limit.algorithm(), (bursts) ? limit.quantity() : capacity, limit.period(), capacity));
	}

	private void settle(BucketFamily family, AcquireResult charged, long units) {
		store().settle(List.of(new Settlement(new Bucket(family, "ann"), charged.charge(0).takenAtMillis(), units)))
			.join();
	}

	@TestFactory
	default Stream<DynamicTest> chargesTakeTheirCostAndRejectionsAndPeeksNothing() {
		return each((algorithm) -> {
			BucketFamily family = perHour(algorithm, 10);
			long before = remembered();
			assertThat(allows(Demands.charge(family, "ann", 0))).isTrue();
			Verdict never = tryAcquire(Demands.charge(family, "ann", 11)).verdicts().get(0);
			assertThat(never).isEqualTo(new Verdict(family.policy(), Outcome.REJECTED, 11, 10, Wait.NEVER, 0, 0));
			assertThat(remembered()).isEqualTo(before);
			assertThat(tryAcquire(Demands.charge(family, "ann", 7)).verdicts().get(0).remaining()).isEqualTo(3);
			assertThat(allows(Demands.charge(family, "ann", 4))).isFalse();
			assertThat(remaining(family, "ann")).isEqualTo(3);
			assertThat(allows(Demands.charge(family, "ann", 3))).isTrue();
			assertThat(remaining(family, "ann")).isZero();
			store().reset(List.of(new Bucket(family, "ann"))).join();
			assertThat(remaining(family, "ann")).isEqualTo(10);
		});
	}

	@TestFactory
	default Stream<DynamicTest> whatIsGivenBackCanBeTakenAgainAndNothingIsCreated() {
		return each((algorithm) -> {
			BucketFamily family = perHour(algorithm, 10);
			AcquireResult charged = tryAcquire(Demands.charge(family, "ann", 8));
			settle(family, charged, -5);
			assertThat(remaining(family, "ann")).isEqualTo(7);
			settle(family, charged, -50);
			assertThat(remaining(family, "ann")).isEqualTo(10);
			store().reset(List.of(new Bucket(family, "ann"))).join();
			long before = remembered();
			settle(family, charged, -5);
			assertThat(remembered()).isEqualTo(before);
			assertThat(remaining(family, "ann")).isEqualTo(10);
		});
	}

	@TestFactory
	default Stream<DynamicTest> debtsStayWithinOneCapacity() {
		return each((algorithm) -> {
			BucketFamily family = perHour(algorithm, 10);
			AcquireResult charged = tryAcquire(Demands.charge(family, "ann", 10));
			settle(family, charged, 1L << 52);
			assertThat(remaining(family, "ann")).isZero();
			settle(family, charged, 1);
			assertThat(remaining(retuned(family, 20), "ann")).isZero();
			assertThat(remaining(retuned(family, 21), "ann")).isEqualTo(1);
		});
	}

	@TestFactory
	default Stream<DynamicTest> whatWasUsedOutlivesAChangeOfTheCapacity() {
		return each((algorithm) -> {
			BucketFamily family = perHour(algorithm, 10);
			tryAcquire(Demands.charge(family, "ann", 8));
			assertThat(remaining(retuned(family, 100), "ann")).isEqualTo(92);
			assertThat(remaining(retuned(family, 5), "ann")).isZero();
			assertThat(allows(Demands.charge(retuned(family, 5), "ann", 1))).isFalse();
			assertThat(remaining(family, "ann")).isEqualTo(2);
		});
	}

	@TestFactory
	default Stream<DynamicTest> manyAtOnceTakeExactlyTheCapacity() {
		return each((algorithm) -> {
			BucketFamily family = perHour(algorithm, 500);
			List<Integer> allowed = Parallel.run(8, (thread) -> {
				int mine = 0;
				for (int i = 0; i < 80; i++) {
					mine += (allows(Demands.charge(family, "ann", 1))) ? 1 : 0;
				}
				return mine;
			});
			assertThat(allowed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(500);
			assertThat(remaining(family, "ann")).isZero();
		});
	}

	@TestFactory
	default Stream<DynamicTest> bucketsOfDifferentAlgorithmsAreTakenTogetherOrNotAtAll() {
		return each((algorithm) -> {
			BucketFamily first = perHour(algorithm, 10);
			BucketFamily narrow = Demands.perMinute("narrow-" + algorithm, 1);
			AcquireResult taken = tryAcquire(Demands.charge(first, "ann", 1), Demands.charge(narrow, "ann", 1));
			assertThat(taken.verdicts()).extracting(Verdict::remaining).containsExactly(9L, 0L);
			AcquireResult rejected = tryAcquire(Demands.charge(first, "ann", 1), Demands.charge(narrow, "ann", 1));
			assertThat(rejected.verdicts()).extracting(Verdict::outcome)
				.containsExactly(Outcome.ALLOWED, Outcome.REJECTED);
			assertThat(remaining(first, "ann")).isEqualTo(9);
		});
	}

}
