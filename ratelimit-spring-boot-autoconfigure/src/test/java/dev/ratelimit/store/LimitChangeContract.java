package dev.ratelimit.store;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of a store when the limit of an active bucket changes: current usage is
 * kept.
 */
interface LimitChangeContract extends StoreUnderTest {

	private static BucketFamily family(String algorithm, long quantity, Duration period) {
		return Demands.family("changed", new Limit(algorithm, quantity, period, quantity));
	}

	private static BucketFamily changed(BucketFamily before, BucketFamily after) {
		return after.replacing(before, new Activation());
	}

	@ParameterizedTest
	@CsvSource({ "token-bucket, 40, 60", "gcra, 40, 60", "leaky-bucket, 40, 60", "fixed-window, 40, 60",
			"sliding-window, 40, 60", "sliding-log, 40, 60" })
	default void anotherRateKeepsWhatIsUsed(String algorithm, long used, long left) {
		BucketFamily before = family(algorithm, 60, Duration.ofMinutes(1));
		assertThat(allows(Demands.charge(before, "ann", used))).isTrue();
		BucketFamily after = changed(before, family(algorithm, 100, Duration.ofMinutes(1)));
		assertThat(remaining(after, "ann")).isEqualTo(left);
		assertThat(allows(Demands.charge(after, "ann", left))).isTrue();
		assertThat(allows(Demands.charge(after, "ann", 1))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "leaky-bucket", "fixed-window", "sliding-window", "sliding-log" })
	default void aHigherLimitKeepsTheDebt(String algorithm) {
		BucketFamily before = family(algorithm, 60, Duration.ofMinutes(1));
		AcquireResult charged = tryAcquire(Demands.charge(before, "ann", 60));
		store().settle(List.of(charged.charge(0).settlement(30))).join();
		BucketFamily after = changed(before, family(algorithm, 100, Duration.ofHours(1)));
		assertThat(remaining(after, "ann")).isEqualTo(10);
	}

	@Test
	default void aCreditIsNotUsedBeforeTheBucketIsEmpty() {
		BucketFamily before = Demands.family("changed",
				new Limit("token-bucket", 100, Duration.ofDays(1), 100, 50, Optional.empty(), false));
		assertThat(allows(Demands.charge(before, "ann", 1))).isTrue();
		assertThat(allows(Demands.charge(before, "bob", 110))).isTrue();
		BucketFamily after = changed(before, Demands.family("changed",
				new Limit("token-bucket", 200, Duration.ofDays(1), 200, 50, Optional.empty(), false)));
		assertThat(remaining(after, "ann")).isEqualTo(199);
		assertThat(remaining(after, "bob")).isEqualTo(90);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "leaky-bucket", "fixed-window", "sliding-window", "sliding-log" })
	default void anotherWindowKeepsWhatIsUsed(String algorithm) {
		BucketFamily before = family(algorithm, 10, Duration.ofMinutes(1));
		assertThat(allows(Demands.charge(before, "ann", 7))).isTrue();
		BucketFamily after = changed(before, family(algorithm, 12, Duration.ofHours(1)));
		assertThat(remaining(after, "ann")).isEqualTo(5);
		assertThat(remaining(after, "bob")).isEqualTo(12);
	}

	@Test
	default void anotherCalendarKeepsWhatIsUsed() {
		BucketFamily before = calendar("Europe/Paris", CalendarWindow.Unit.DAY);
		assertThat(allows(Demands.charge(before, "ann", 7))).isTrue();
		BucketFamily after = changed(before, calendar("America/New_York", CalendarWindow.Unit.MONTH));
		assertThat(remaining(after, "ann")).isEqualTo(3);
		assertThat(remaining(changed(after, family("fixed-window", 12, Duration.ofHours(1))), "ann")).isEqualTo(5);
	}

	private static BucketFamily calendar(String zone, CalendarWindow.Unit unit) {
		return Demands.family("changed", new Limit("fixed-window", 10, unit.duration(), 10, 0,
				Optional.of(new CalendarWindow(unit, ZoneId.of(zone))), false));
	}

	@Test
	default void aLowerLimitIsExceededAtOnceAndNeverNegative() {
		BucketFamily before = Demands.perMinute("changed", 100);
		tryAcquire(Demands.charge(before, "ann", 60));
		BucketFamily after = changed(before, Demands.perMinute("changed", 50));
		Verdict verdict = tryAcquire(Demands.charge(after, "ann", 1)).verdicts().get(0);
		assertThat(verdict.remaining()).isZero();
		assertThat(verdict.retryAfterMillis()).isEqualTo(13_200);
	}

	@Test
	default void anotherBurstNeedsNoMove() {
		BucketFamily before = Demands.perMinute("changed", 100);
		tryAcquire(Demands.charge(before, "ann", 60));
		BucketFamily after = changed(before,
				Demands.family("changed", new Limit(Algorithms.DEFAULT, 100, Duration.ofMinutes(1), 80)));
		assertThat(after.formers()).isEmpty();
		assertThat(remaining(after, "ann")).isEqualTo(20);
	}

	@Test
	default void anotherAlgorithmStartsAfresh() {
		BucketFamily before = Demands.perMinute("changed", 100);
		tryAcquire(Demands.charge(before, "ann", 60));
		assertThat(remaining(changed(before, family("gcra", 100, Duration.ofMinutes(1))), "ann")).isEqualTo(100);
	}

	@Test
	default void formerLimitAllowsItsCapacityOnceMore() {
		BucketFamily before = Demands.perMinute("changed", 10);
		tryAcquire(Demands.charge(before, "ann", 10));
		BucketFamily after = changed(before, Demands.perMinute("changed", 20));
		assertThat(remaining(after, "ann")).isEqualTo(10);
		assertThat(allows(Demands.charge(before, "ann", 10))).isTrue();
		assertThat(remaining(after, "ann")).isEqualTo(10);
		assertThat(allows(Demands.charge(before, "ann", 1))).isFalse();
	}

	@Test
	default void refilledFormerBucketIsNotMoved() {
		BucketFamily before = Demands.perMinute("changed", 10);
		tryAcquire(Demands.charge(before, "ann", 10));
		BucketFamily after = Demands.perMinute("changed", 20)
			.replacing(before, Activation.at(System.nanoTime() - Duration.ofMinutes(1).toNanos()));
		assertThat(remaining(after, "ann")).isEqualTo(20);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "leaky-bucket", "fixed-window", "sliding-window", "sliding-log" })
	default void aLimitThatChangesTwiceKeepsWhatIsUsed(String algorithm) {
		BucketFamily first = family(algorithm, 10, Duration.ofMinutes(1));
		assertThat(allows(Demands.charge(first, "ann", 7))).isTrue();
		BucketFamily second = changed(first, family(algorithm, 11, Duration.ofHours(1)));
		BucketFamily third = changed(second, family(algorithm, 12, Duration.ofHours(2)));
		assertThat(remaining(third, "ann")).isEqualTo(5);
		assertThat(remaining(third, "bob")).isEqualTo(12);
	}

	@Test
	default void theLatestLimitThatKnowsTheSubjectCounts() {
		BucketFamily first = family("token-bucket", 10, Duration.ofMinutes(1));
		BucketFamily second = changed(first, family("token-bucket", 20, Duration.ofHours(1)));
		tryAcquire(Demands.charge(second, "ann", 3));
		tryAcquire(Demands.charge(first, "ann", 7));
		BucketFamily third = changed(second, family("token-bucket", 30, Duration.ofHours(2)));
		assertThat(remaining(third, "ann")).isEqualTo(27);
	}

	@Test
	default void aLimitThatIsBackKeepsWhatIsUsed() {
		BucketFamily first = family("token-bucket", 10, Duration.ofHours(1));
		tryAcquire(Demands.charge(first, "ann", 3));
		BucketFamily second = changed(first, family("token-bucket", 20, Duration.ofHours(1)));
		tryAcquire(Demands.charge(second, "ann", 4));
		BucketFamily back = changed(second, family("token-bucket", 10, Duration.ofHours(1)));
		assertThat(remaining(back, "ann")).isEqualTo(3);
		tryAcquire(Demands.charge(first, "bob", 3));
		assertThat(remaining(back, "bob")).isEqualTo(7);
	}

	@Test
	default void onlyTheLatestFourLimitsAreKnownAndNoneKnowsAnother() {
		BucketFamily family = Demands.perMinute("changed", 10);
		for (int quantity = 11; quantity < 20; quantity++) {
			family = changed(family, Demands.perMinute("changed", quantity));
		}
		assertThat(family.formers()).extracting((former) -> former.family().policy().capacity())
			.containsExactly(18L, 17L, 16L, 15L);
		assertThat(family.formers()).allMatch((former) -> former.family().formers().isEmpty());
	}

}
