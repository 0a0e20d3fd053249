package dev.ratelimit.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.Decision;
import dev.ratelimit.Reason;
import dev.ratelimit.Reservation;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests the results of corrections. The clock stands still, so that all leases start in
 * the same millisecond.
 */
class StoreReservationTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(1000, () -> 60_000_000_000L));

	@BeforeEach
	void rules() {
		this.engine.editions()
			.adopt(List.of(RuleBuilder.rule("tokens").limits("10/h").cost("header:X-Tokens").build(),
					RuleBuilder.rule("requests").limits("10/h").build(),
					RuleBuilder.rule("jobs").limits("3").algorithm("concurrency").build(),
					RuleBuilder.rule("paid-once").limits("10/h").idempotency().build(),
					RuleBuilder.rule("paid-too").limits("10/h").idempotency().build(),
					RuleBuilder.rule("watched").limits("4/h").mode(RuleMode.SHADOW).build()));
	}

	@Test
	void settlingAgainWithTheSameNumberChangesNothing() {
		Reservation reservation = charge("tokens", 5).reservation();
		for (int i = 0; i < 3; i++) {
			reservation.settle(2);
			reservation.settle("tokens", 2);
			assertThat(left("tokens")).isEqualTo(8);
		}
		reservation.settle(9);
		assertThat(left("tokens")).isEqualTo(1);
	}

	@Test
	void onlyWhatWasTakenFromTheRequestIsAnEstimate() {
		Reservation reservation = decide(use("tokens", 5), use("requests", 5)).reservation();
		reservation.settle(1);
		assertThat(left("tokens")).isEqualTo(9);
		assertThat(left("requests")).isEqualTo(5);
		reservation.settle("requests", 0);
		assertThat(left("requests")).isEqualTo(10);
		reservation.settle("nobody", 0);
	}

	@Test
	void releasingFreesWhatIsHeldAndNothingElse() {
		Reservation reservation = decide(use("tokens", 5), use("jobs", 1)).reservation();
		reservation.release();
		assertThat(left("jobs")).isEqualTo(3);
		assertThat(left("tokens")).isEqualTo(5);
		reservation.settle(4);
		assertThat(left("tokens")).isEqualTo(6);
		assertThat(left("jobs")).isEqualTo(3);
	}

	@Test
	void settlingLeavesWhatIsHeld() {
		Reservation reservation = charge("jobs", 1).reservation();
		reservation.settle(0);
		reservation.settle("jobs", 0);
		reservation.settle("jobs", 3);
		assertThat(left("jobs")).isEqualTo(2);
	}

	@Test
	void slotIsReleasedOnceAmongEqualSlots() {
		Reservation first = charge("jobs", 1).reservation();
		charge("jobs", 1);
		first.release();
		first.release();
		first.cancel();
		first.release();
		assertThat(left("jobs")).isEqualTo(2);
	}

	@Test
	void cancelRefundsAllChargesOnce() {
		charge("requests", 3);
		charge("jobs", 1);
		Reservation reservation = decide(use("tokens", 5), use("requests", 2), use("jobs", 1)).reservation();
		reservation.cancel();
		reservation.cancel();
		reservation.release();
		assertThat(left("tokens")).isEqualTo(10);
		assertThat(left("requests")).isEqualTo(7);
		assertThat(left("jobs")).isEqualTo(2);
		reservation.settle(3);
		assertThat(left("tokens")).as("counts from what stands, which is nothing").isEqualTo(7);
	}

	@Test
	void slotsThatAreHandedOverAreReleasedByTheirNewHolderAlone() {
		Reservation reservation = charge("jobs", 1).reservation();
		charge("jobs", 1);
		assertThat(SlotReservation.handOver(reservation, "requests")).isNotNull();
		Runnable release = SlotReservation.handOver(reservation, "jobs");
		reservation.release();
		reservation.release("jobs");
		reservation.cancel();
		reservation.settle(0);
		SlotReservation.handOver(reservation, "jobs").run();
		assertThat(left("jobs")).isEqualTo(1);
		release.run();
		assertThat(left("jobs")).isEqualTo(2);
	}

	@Test
	void reservationKeepsChargesThatAreNotHandedOver() {
		Reservation reservation = decide(use("tokens", 5), use("jobs", 1)).reservation();
		Runnable release = SlotReservation.handOver(reservation, "jobs");
		reservation.settle(4);
		reservation.cancel();
		assertThat(left("tokens")).isEqualTo(10);
		assertThat(left("jobs")).isEqualTo(2);
		release.run();
		assertThat(left("jobs")).isEqualTo(3);
		assertThat(left("tokens")).isEqualTo(10);
	}

	@Test
	void chargeWaivedByReplayIsNotCorrected() {
		assertThat(retried().reservation()).isNotSameAs(Reservation.NONE);
		Reservation replay = retried().reservation();
		replay.settle("paid-once", 0);
		replay.settle("paid-once", 9);
		replay.cancel();
		assertThat(left("paid-once")).isEqualTo(7);
	}

	@Test
	void aRequestThatPaysNothingAfterAllIsNotRemembered() {
		for (int i = 0; i < 4; i++) {
			Decision again = retried();
			assertThat(again.reason()).isEqualTo(Reason.WITHIN_LIMITS);
			again.reservation().settle("paid-once", 0);
			assertThat(left("paid-once")).isEqualTo(10);
		}
		retried();
		assertThat(retried().reason()).as("what was paid in the end is remembered").isEqualTo(Reason.REPLAYED);
	}

	@Test
	void aRequestThatPaysLessIsRemembered() {
		retried().reservation().settle("paid-once", 1);
		assertThat(retried().reason()).isEqualTo(Reason.REPLAYED);
		assertThat(left("paid-once")).isEqualTo(9);
	}

	@Test
	void canceledReplayKeepsTheMarker() {
		retried();
		retried().reservation().cancel();
		assertThat(retried().reason()).isEqualTo(Reason.REPLAYED);
	}

	@Test
	void aRequestIsForgottenOnceOneOfItsChargesIsRefunded() {
		Reservation reservation = retried("paid-once", "paid-too").reservation();
		reservation.settle("paid-once", 0);
		assertThat(left("paid-once")).isEqualTo(10);
		assertThat(left("paid-too")).isEqualTo(7);
		assertThat(retried("paid-once", "paid-too").reason()).isEqualTo(Reason.WITHIN_LIMITS);
		reservation.cancel();
		assertThat(left("paid-once")).isEqualTo(7);
		assertThat(left("paid-too")).isEqualTo(7);
		assertThat(retried("paid-once", "paid-too").reason()).as("which is another's now").isEqualTo(Reason.REPLAYED);
	}

	@Test
	void aReplayThatIsNotServedTakesOverNothing() {
		Reservation reservation = retried().reservation();
		Reservation replay = retried().reservation();
		replay.settle(0);
		replay.release();
		replay.cancel();
		replay.cancel();
		reservation.cancel();
		assertThat(left("paid-once")).isEqualTo(10);
	}

	@Test
	void aReplayThatAnotherRuleChargesIsTakenBackToo() {
		retried("paid-once", "requests");
		for (int i = 0; i < 5; i++) {
			Decision replay = retried("paid-once", "requests");
			assertThat(replay.reason()).isEqualTo(Reason.REPLAYED);
			replay.reservation().cancel();
			replay.reservation().cancel();
			assertThat(left("paid-once")).isEqualTo(7);
			assertThat(left("requests")).isEqualTo(7);
		}
	}

	@Test
	void aFreeReplayTakesOverTheChargesOfItsRequest() {
		Reservation reservation = retried("paid-once", "paid-too").reservation();
		assertThat(retried("paid-once", "paid-too").reason()).isEqualTo(Reason.REPLAYED);
		SlotReservation.refund(reservation, Set.of("paid-once", "paid-too"));
		reservation.cancel();
		assertThat(left("paid-once")).isEqualTo(7);
		assertThat(left("paid-too")).isEqualTo(7);
		assertThat(retried("paid-once", "paid-too").reason()).isEqualTo(Reason.REPLAYED);
	}

	@Test
	void chargeThatReplaysDoNotWaiveStandsWithoutMarker() {
		Reservation reservation = retried("paid-once", "requests").reservation();
		reservation.settle("paid-once", 0);
		assertThat(left("requests")).isEqualTo(7);
		assertThat(retried("paid-once", "requests").reason()).isEqualTo(Reason.WITHIN_LIMITS);
	}

	@Test
	void shadowRejectedChargeIsNotCorrected() {
		charge("watched", 3);
		Reservation beyond = charge("watched", 3).reservation();
		beyond.settle("watched", 0);
		beyond.cancel();
		assertThat(left("watched")).isEqualTo(1);
		charge("watched", 1).reservation().cancel();
		assertThat(left("watched")).isEqualTo(1);
	}

	@Test
	void aRejectionHasNothingToCorrect() {
		assertThat(decide(use("requests", 2), use("jobs", 4)).reservation()).isSameAs(Reservation.NONE);
		assertThat(left("requests")).isEqualTo(10);
	}

	@Test
	void theReservationsOfTwoPhasesAreSettledAsOne() {
		Decision early = decide(use("tokens", 5), use("jobs", 1));
		Decision late = decide(use("requests", 5), use("jobs", 1));
		Reservation both = early.then(late).reservation();
		both.settle(1).toCompletableFuture().join();
		both.settle("requests", 2).toCompletableFuture().join();
		assertThat(left("tokens")).isEqualTo(9);
		assertThat(left("requests")).isEqualTo(8);
		assertThat(left("jobs")).isEqualTo(1);
		both.release().toCompletableFuture().join();
		assertThat(left("jobs")).isEqualTo(3);
		both.cancel().toCompletableFuture().join();
		assertThat(left("tokens")).isEqualTo(10);
		assertThat(left("requests")).isEqualTo(10);
	}

	@Test
	void lessThanNothingIsNoUse() {
		Decision decision = decide(use("tokens", 5), use("requests", 5));
		Reservation both = decision.then(decide(use("jobs", 1))).reservation();
		for (Reservation reservation : List.of(decision.reservation(), both)) {
			assertThatIllegalArgumentException().isThrownBy(() -> reservation.settle(-1))
				.withMessage("'actual' (-1) must not be negative");
			assertThatIllegalArgumentException().isThrownBy(() -> reservation.settle("tokens", -1));
		}
		assertThat(left("tokens")).isEqualTo(5);
	}

	private Decision retried(String... rules) {
		List<AppliedRule> uses = Arrays.stream((rules.length == 0) ? new String[] { "paid-once" } : rules)
			.map((rule) -> use(rule, 3))
			.toList();
		return this.engine.decide(uses, Optional.of(new RetryKey("k", "POST /")), 1_000_000).join();
	}

	private Decision charge(String rule, long cost) {
		return decide(use(rule, cost));
	}

	private Decision decide(AppliedRule... uses) {
		return this.engine.decide(Arrays.asList(uses), Optional.empty(), 1_000_000).join();
	}

	private AppliedRule use(String rule, long cost) {
		return AppliedRule.of(this.engine.rule(rule).orElseThrow(), "user:a", cost);
	}

	private long left(String rule) {
		return decide(use(rule, 0)).verdicts().get(0).remaining();
	}

}
