package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.guard.Debts.BucketDebts.Sent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the charges that are sent for the debts of one bucket, and the corrections of
 * debts. Limits are 10 per minute. Each window starts at a full minute.
 */
class BucketDebtsTests {

	private static final long MINUTE = 60_000;

	/** A full minute in milliseconds. The nanoseconds have a different origin. */
	private static final long START_MILLIS = 10_000 * MINUTE;

	private static final long START_NANOS = Long.MAX_VALUE - 5;

	@Test
	void unitsOfAWindowThatHasEndedAreNotSent() {
		Debts.BucketDebts debts = debts("fixed-window");
		owe(debts, 58_000, 3);
		owe(debts, 61_000, 2);
		assertThat(sent(debts, 62_000)).containsExactly("2 of 1001 ms ago");
	}

	@Test
	void unitsThatASlidingWindowHasForgottenAreNotSent() {
		Debts.BucketDebts debts = debts("sliding-window");
		owe(debts, 1_000, 1);
		owe(debts, 61_000, 2);
		owe(debts, 121_000, 3);
		assertThat(sent(debts, 122_000)).containsExactly("3 of 1001 ms ago", "2 of 61001 ms ago");
	}

	@Test
	void unitsOfALogAreSentWithTheTimesOfTheirAdmissions() {
		Debts.BucketDebts debts = debts("sliding-log");
		owe(debts, 0, 1);
		owe(debts, 30_000, 2);
		owe(debts, 32_000, 2);
		owe(debts, 59_000, 3);
		assertThat(sent(debts, 60_000)).containsExactly("3 of 1001 ms ago", "4 of 30001 ms ago");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sliding-log", "sliding-window", "fixed-window" })
	void theLatestOfMoreThanOneCapacityAreSent(String algorithm) {
		Debts.BucketDebts debts = debts(algorithm);
		owe(debts, 0, 4);
		owe(debts, 20_000, 4);
		owe(debts, 40_000, 4);
		assertThat(sent(debts, 40_000)).containsExactly("4 of 1 ms ago", "4 of 20001 ms ago", "2 of 40001 ms ago");
	}

	@Test
	void evenlyRefillingBucketHasOneDebtWithoutRefilledUnits() {
		Debts.BucketDebts debts = debts(Algorithms.DEFAULT);
		owe(debts, 0, 5);
		owe(debts, 6_000, 5);
		assertThat(sent(debts, 12_000)).containsExactly("8 of 1 ms ago");
	}

	@Test
	void anAdmissionDoesNotCountAsOfLaterAndDebtsOfABucketAreBounded() {
		Debts.BucketDebts debts = debts("sliding-log");
		int owed = 0;
		for (int i = 59; i > 0; i--) {
			owed += (tryToOwe(debts, 1000 + i, 1).isPresent()) ? 1 : 0;
		}
		assertThat(owed).isEqualTo(32);
		assertThat(sent(debts, 2_000)).hasSize(10).contains("1 of 942 ms ago", "1 of 951 ms ago");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sliding-log", "fixed-window", "token-bucket" })
	void aRefundBeforeTheChargeIsNotSent(String algorithm) {
		Debts.BucketDebts debts = debts(algorithm);
		Debt debt = owe(debts, 0, 5);
		assertThat(debt.correct(-2, nanos(0))).isEmpty();
		assertThat(sent(debts, 0)).containsExactly("3 of 1 ms ago");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sliding-log", "fixed-window", "token-bucket" })
	void chargedDebtIsRefundedByTheStoreOnce(String algorithm) {
		Debts.BucketDebts debts = debts(algorithm);
		Debt debt = owe(debts, 0, 5);
		Sent sent = debts.send(nanos(0), nanos(50)).get(0);
		Settlement charged = new Settlement(debt.bucket(), 77, 5);
		assertThat(sent.debt().charged(charged)).isEmpty();
		assertThat(debt.correct(-3, nanos(1))).contains(new Settlement(debt.bucket(), 77, -3));
		assertThat(debt.correct(-3, nanos(1))).contains(new Settlement(debt.bucket(), 77, -2));
		assertThat(debt.correct(-3, nanos(1))).isEmpty();
		assertThat(debt.correct(4, nanos(1))).contains(new Settlement(debt.bucket(), 77, 4));
	}

	@Test
	void aRefundWhileTheChargeIsUnderWayWaitsForItsEnd() {
		Debts.BucketDebts debts = debts("sliding-log");
		Debt debt = owe(debts, 0, 5);
		debts.send(nanos(0), nanos(50));
		assertThat(debt.correct(-2, nanos(1))).isEmpty();
		assertThat(debt.charged(new Settlement(debt.bucket(), 77, 5))).contains(new Settlement(debt.bucket(), 77, -2));
	}

	@Test
	void aRefundOfAChargeThatFailedReducesWhatIsSentAgain() {
		Debts.BucketDebts debts = debts("sliding-log");
		Debt debt = owe(debts, 0, 5);
		debts.send(nanos(0), nanos(50));
		debt.correct(-2, nanos(1));
		assertThat(debt.uncharged(nanos(60))).isTrue();
		Debts.BucketDebts later = debts("sliding-log");
		later.keep(debt, nanos(60));
		assertThat(sent(later, 100)).containsExactly("3 of 101 ms ago");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sliding-log", "fixed-window", "token-bucket" })
	void failedDebtIsMergedWithNewerDebt(String algorithm) {
		Debts.BucketDebts debts = debts(algorithm);
		Debt older = owe(debts, 0, 5);
		debts.send(nanos(0), nanos(50));
		Debts.BucketDebts meanwhile = debts(algorithm);
		Debt newer = owe(meanwhile, 20, 3);
		older.uncharged(nanos(60));
		meanwhile.keep(older, nanos(60));
		newer.correct(-1, nanos(60));
		assertThat(sent(meanwhile, 60)).containsExactly("7 of 61 ms ago");
	}

	@Test
	void debtOfUnknownOutcomeIsNotRefunded() {
		Debts.BucketDebts debts = debts("sliding-log");
		Debt lost = owe(debts, 0, 5);
		debts.send(nanos(0), nanos(50));
		lost.settle();
		assertThat(lost.correct(-5, nanos(1))).isEmpty();
		assertThat(lost.charged(new Settlement(lost.bucket(), 77, 5))).isEmpty();
		assertThat(lost.uncharged(nanos(1))).isFalse();
		assertThat(lost.correct(-5, nanos(1))).isEmpty();
	}

	@Test
	void aCreditIsNotOwed() {
		Debts.BucketDebts debts = new Debts.BucketDebts(new Bucket(
				Demands.family("debt",
						new Limit(Algorithms.DEFAULT, 60, Duration.ofMinutes(1), 100, 50, Optional.empty(), false)),
				"ann"));
		owe(debts, 0, 10);
		assertThat(sent(debts, 4_000)).containsExactly("6 of 1 ms ago");
		Debts.BucketDebts refilled = new Debts.BucketDebts(new Bucket(
				Demands.family("debt",
						new Limit(Algorithms.DEFAULT, 60, Duration.ofMinutes(1), 100, 50, Optional.empty(), false)),
				"ann"));
		owe(refilled, 0, 10);
		assertThat(sent(refilled, 10_000)).isEmpty();
	}

	private static Debts.BucketDebts debts(String algorithm) {
		return new Debts.BucketDebts(
				new Bucket(Demands.family("debt", new Limit(algorithm, 10, Duration.ofMinutes(1), 10)), "ann"));
	}

	private static Debt owe(Debts.BucketDebts debts, long millis, long units) {
		return tryToOwe(debts, millis, units).orElseThrow();
	}

	private static Optional<Debt> tryToOwe(Debts.BucketDebts debts, long millis, long units) {
		return debts.owe(START_MILLIS + millis, nanos(millis), units, nanos(millis));
	}

	private static List<String> sent(Debts.BucketDebts debts, long millis) {
		List<String> all = new ArrayList<>();
		for (Sent sent : debts.send(nanos(millis), nanos(millis + 50))) {
			LateCharge charge = sent.charge();
			assertThat(charge.deadlineNanos()).isEqualTo(nanos(millis + 50));
			all.add(charge.correction().units() + " of "
					+ TimeUnit.NANOSECONDS.toMillis(nanos(millis) - charge.takenNanos()) + " ms ago");
		}
		return all;
	}

	// The sum may overflow, as the value of System.nanoTime() may.
	private static long nanos(long millis) {
		return START_NANOS + TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
