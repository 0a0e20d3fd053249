package dev.ratelimit.store;

import java.time.Duration;

import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of a store for a request on several buckets.
 */
interface DemandContract extends StoreUnderTest {

	@Test
	default void rejectionByOneBucketChargesNoOtherBucket() {
		BucketFamily wide = Demands.perDay("wide", 20);
		BucketFamily narrow = Demands.perDay("narrow", 10);
		for (int i = 1; i <= 15; i++) {
			AcquireResult answer = tryAcquire(Demands.charge(wide, "ann", 1), Demands.charge(narrow, "ann", 1));
			assertThat(answer.allowed()).as("request %d", i).isEqualTo(i <= 10);
			assertThat(answer.verdicts()).extracting(Verdict::remaining)
				.as("request %d", i)
				.containsExactly(Math.max(10, 20L - i), Math.max(0, 10L - i));
		}
		assertThat(remaining(wide, "ann")).isEqualTo(10);
	}

	@Test
	default void verdictsComeInTheOrderOfTheChargesWithAnOutcomeEach() {
		BucketFamily wide = Demands.perMinute("wide", 20);
		BucketFamily narrow = Demands.perMinute("narrow", 10);
		tryAcquire(Demands.charge(narrow, "ann", 10));
		AcquireResult answer = tryAcquire(Demands.charge(narrow, "ann", 1), Demands.charge(wide, "ann", 1));
		assertThat(answer.verdicts()).containsExactly(
				new Verdict(narrow.policy(), Outcome.REJECTED, 1, 0, 6_000, 60_000, 6_000),
				new Verdict(wide.policy(), Outcome.ALLOWED, 1, 20, 0, 0, 0));
	}

	@Test
	default void aRejectionCreatesNothing() {
		BucketFamily narrow = Demands.perMinute("narrow", 10);
		BucketFamily wide = Demands.perMinute("wide", 20);
		tryAcquire(Demands.charge(narrow, "ann", 10));
		long before = remembered();
		for (int i = 0; i < 50; i++) {
			AcquireResult answer = tryAcquire(Demands.charge(wide, "key-" + i, 1), Demands.charge(narrow, "ann", 1));
			assertThat(answer.allowed()).isFalse();
		}
		assertThat(remembered()).isEqualTo(before);
	}

	@Test
	default void aPeekBesideAChargeTakesNothing() {
		BucketFamily peeked = Demands.perMinute("peeked", 5);
		BucketFamily charged = Demands.perMinute("charged", 5);
		AcquireResult answer = tryAcquire(Demands.charge(peeked, "ann", 0), Demands.charge(charged, "ann", 2));
		assertThat(answer.verdicts()).extracting(Verdict::remaining).containsExactly(5L, 3L);
		assertThat(remaining(peeked, "ann")).isEqualTo(5);
		assertThat(remembered()).isEqualTo(1);
	}

	@Test
	default void aShadowChargeTakesWhatAnAllowedRequestAsks() {
		BucketFamily watched = Demands.perMinute("watched", 5);
		BucketFamily enforced = Demands.perMinute("enforced", 20);
		AcquireResult answer = tryAcquire(Demands.shadow(watched, "ann", 2), Demands.charge(enforced, "ann", 2));
		assertThat(answer.allowed()).isTrue();
		assertThat(answer.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.ALLOWED, Outcome.ALLOWED);
		assertThat(remaining(watched, "ann")).isEqualTo(3);
	}

	@Test
	default void aShadowChargeNeverRejects() {
		BucketFamily watched = Demands.perMinute("watched", 5);
		BucketFamily enforced = Demands.perMinute("enforced", 20);
		tryAcquire(Demands.shadow(watched, "ann", 5));
		AcquireResult answer = tryAcquire(Demands.shadow(watched, "ann", 1), Demands.charge(enforced, "ann", 1));
		assertThat(answer.allowed()).isTrue();
		assertThat(answer.verdicts()).containsExactly(
				new Verdict(watched.policy(), Outcome.SHADOW_REJECTED, 1, 0, 12_000, 60_000, 12_000),
				new Verdict(enforced.policy(), Outcome.ALLOWED, 1, 19, 0, 3_000, 3_000));
		assertThat(tryAcquire(Demands.shadow(watched, "ann", 1)).allowed()).isTrue();
	}

	@Test
	default void aDegradingChargeNeverRejectsAndSaysSo() {
		BucketFamily degrading = Demands.perMinute("degrading", 5);
		BucketFamily enforced = Demands.perMinute("enforced", 20);
		tryAcquire(Demands.degrading(degrading, "ann", 5));
		AcquireResult answer = tryAcquire(Demands.degrading(degrading, "ann", 1), Demands.charge(enforced, "ann", 19));
		assertThat(answer.allowed()).isTrue();
		assertThat(answer.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.DEGRADED, Outcome.ALLOWED);
		AcquireResult rejected = tryAcquire(Demands.degrading(degrading, "ann", 1), Demands.charge(enforced, "ann", 2));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.DEGRADED, Outcome.REJECTED);
	}

	@Test
	default void aShadowChargeTakesNothingForARejectedRequest() {
		BucketFamily watched = Demands.perMinute("watched", 5);
		BucketFamily enforced = Demands.perMinute("enforced", 1);
		tryAcquire(Demands.charge(enforced, "ann", 1));
		assertThat(tryAcquire(Demands.shadow(watched, "ann", 2), Demands.charge(enforced, "ann", 1)).allowed())
			.isFalse();
		assertThat(remaining(watched, "ann")).isEqualTo(5);
	}

	@Test
	default void aRaisedBurstIsCountedInTheSameBucket() {
		BucketFamily before = Demands.family("retuned", perMinuteWithBurst(10));
		BucketFamily after = Demands.family("retuned", perMinuteWithBurst(1000));
		tryAcquire(Demands.charge(before, "ann", 10));
		assertThat(tryAcquire(Demands.charge(after, "ann", 0)).verdicts().get(0).remaining()).isEqualTo(990);
		assertThat(allows(Demands.charge(after, "ann", 990))).isTrue();
		at(3_000_000);
		tryAcquire(Demands.charge(Demands.perMinute("other", 10), "bob", 1));
		assertThat(remaining(after, "ann")).isEqualTo(500);
	}

	private static Limit perMinuteWithBurst(long burst) {
		return new Limit(Algorithms.DEFAULT, 10, Duration.ofMinutes(1), burst);
	}

	@Test
	default void aLoweredBurstKeepsWhatWasUsed() {
		BucketFamily before = Demands.family("retuned", perMinuteWithBurst(15));
		BucketFamily after = Demands.family("retuned", perMinuteWithBurst(10));
		tryAcquire(Demands.charge(before, "ann", 15));
		Verdict verdict = tryAcquire(Demands.charge(after, "ann", 1)).verdicts().get(0);
		assertThat(verdict).isEqualTo(new Verdict(after.policy(), Outcome.REJECTED, 1, 0, 36_000, 90_000, 36_000));
	}

	// The state after a larger burst cannot be distinguished from the state after the
	// clock is set back.
	@Test
	default void aBurstThatIsLoweredByMoreThanHalfKeepsTwoWindowsOfWhatWasUsed() {
		BucketFamily before = Demands.family("retuned", perMinuteWithBurst(1000));
		BucketFamily after = Demands.family("retuned", perMinuteWithBurst(10));
		tryAcquire(Demands.charge(before, "ann", 1000));
		Verdict verdict = tryAcquire(Demands.charge(after, "ann", 1)).verdicts().get(0);
		assertThat(verdict).isEqualTo(new Verdict(after.policy(), Outcome.REJECTED, 1, 0, 66_000, 120_000, 66_000));
	}

}
