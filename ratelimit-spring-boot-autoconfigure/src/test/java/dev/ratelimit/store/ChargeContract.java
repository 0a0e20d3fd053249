package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.test.GoldenVectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of a store for a charge on one bucket.
 */
interface ChargeContract extends StoreUnderTest {

	@TestFactory
	default Stream<DynamicTest> answersAsTheGoldenVectorsSay() {
		return GoldenVectors.all()
			.stream()
			.filter((vectors) -> vectors.holders() == 1)
			// Only built-in stores renew slots.
			.filter((vectors) -> store() instanceof StoreStage
					|| vectors.steps().stream().noneMatch((step) -> step.op() == GoldenVectors.Op.RENEW))
			.map((vectors) -> DynamicTest.dynamicTest(vectors.toString(), () -> follow(vectors)));
	}

	private void follow(GoldenVectors vectors) {
		BucketFamily family = Demands.family("golden", vectors.limit());
		VectorPlayer.play(vectors, family, (holder) -> store(), this::at);
	}

	@Test
	default void chargeSubtractsItsCost() {
		BucketFamily family = Demands.perMinute("take", 10);
		Verdict verdict = tryAcquire(Demands.charge(family, "ann", 3)).verdicts().get(0);
		assertThat(verdict).isEqualTo(new Verdict(family.policy(), Outcome.ALLOWED, 3, 7, 0, 18_000, 6_000));
		assertThat(remaining(family, "ann")).isEqualTo(7);
	}

	@Test
	default void peekChargesAndCreatesNothing() {
		BucketFamily family = Demands.perMinute("peek", 10);
		for (int i = 0; i < 20; i++) {
			AcquireResult answer = tryAcquire(Demands.charge(family, "ann", 0));
			assertThat(answer.allowed()).isTrue();
			assertThat(answer.verdicts())
				.containsExactly(new Verdict(family.policy(), Outcome.ALLOWED, 0, 10, 0, 0, 0));
		}
		assertThat(remembered()).isZero();
	}

	@Test
	default void aPeekIsAllowedAtAnEmptyBucket() {
		BucketFamily family = Demands.perMinute("peek", 10);
		tryAcquire(Demands.charge(family, "ann", 10));
		AcquireResult answer = tryAcquire(Demands.charge(family, "ann", 0));
		assertThat(answer.allowed()).isTrue();
		assertThat(answer.verdicts())
			.containsExactly(new Verdict(family.policy(), Outcome.ALLOWED, 0, 0, 0, 60_000, 6_000));
	}

	@Test
	default void rejectionChargesNothing() {
		BucketFamily family = Demands.perMinute("deny", 2000);
		assertThat(allows(Demands.charge(family, "ann", 1000))).isTrue();
		AcquireResult denied = tryAcquire(Demands.charge(family, "ann", 1500));
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.verdicts().get(0).outcome()).isEqualTo(Outcome.REJECTED);
		assertThat(denied.verdicts().get(0).remaining()).isEqualTo(1000);
		assertThat(denied.verdicts().get(0).retryAfterMillis()).isEqualTo(15_000);
		assertThat(allows(Demands.charge(family, "ann", 500))).isTrue();
		assertThat(allows(Demands.charge(family, "ann", 400))).isTrue();
		assertThat(allows(Demands.charge(family, "ann", 100))).isTrue();
		assertThat(allows(Demands.charge(family, "ann", 1))).isFalse();
	}

	@Test
	default void aCostAboveCapacityIsNeverAllowedAndTakesNothing() {
		BucketFamily family = Demands.perMinute("never", 10);
		for (long cost : List.of(11L, 1L << 53, Long.MAX_VALUE)) {
			AcquireResult answer = tryAcquire(Demands.charge(family, "ann", cost));
			assertThat(answer.allowed()).isFalse();
			assertThat(answer.verdicts())
				.containsExactly(new Verdict(family.policy(), Outcome.REJECTED, cost, 10, Wait.NEVER, 0, 0));
		}
		assertThat(remembered()).isZero();
	}

	@Test
	default void retryAfterIsExactToTheMillisecond() {
		BucketFamily family = Demands.perMinute("wait", 7);
		tryAcquire(Demands.charge(family, "ann", 7));
		long wait = tryAcquire(Demands.charge(family, "ann", 2)).verdicts().get(0).retryAfterMillis();
		at(wait - 1);
		assertThat(allows(Demands.charge(family, "ann", 2))).isFalse();
		at(wait);
		assertThat(allows(Demands.charge(family, "ann", 2))).isTrue();
	}

	@Test
	default void subjectsAreIndependent() {
		BucketFamily family = Demands.perMinute("apart", 10);
		tryAcquire(Demands.charge(family, "ann", 10));
		assertThat(allows(Demands.charge(family, "ann", 1))).isFalse();
		assertThat(allows(Demands.charge(family, "bob", 10))).isTrue();
	}

	@Test
	default void rulesAndWindowsAreIndependent() {
		tryAcquire(Demands.charge(Demands.perMinute("first", 10), "ann", 10));
		assertThat(remaining(Demands.perMinute("second", 10), "ann")).isEqualTo(10);
		assertThat(remaining(Demands.perMinute("first", 11), "ann")).isEqualTo(11);
	}

	@Test
	default void aRuleWithoutLimitsHasNothingToReset() {
		assertThat(store().reset(List.of())).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	default void resetStartsAfresh() {
		BucketFamily family = Demands.perMinute("reset", 10);
		tryAcquire(Demands.charge(family, "ann", 10));
		tryAcquire(Demands.charge(family, "bob", 10));
		store().reset(List.of(new Bucket(family, "ann"))).join();
		assertThat(allows(Demands.charge(family, "ann", 10))).isTrue();
		assertThat(allows(Demands.charge(family, "bob", 1))).isFalse();
	}

	@Test
	default void resetOfABucketNeverChargedDoesNothing() {
		BucketFamily family = Demands.perMinute("reset", 10);
		store().reset(List.of(new Bucket(family, "ann"), new Bucket(family, "bob"))).join();
		assertThat(remaining(family, "ann")).isEqualTo(10);
		assertThat(remembered()).isZero();
	}

}
