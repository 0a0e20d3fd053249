package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of a store when a charge is corrected.
 */
interface SettlementContract extends StoreUnderTest {

	private void settle(BucketFamily family, AcquireResult charged, long units) {
		store().settle(List.of(new Settlement(new Bucket(family, "ann"), charged.charge(0).takenAtMillis(), units)))
			.join();
	}

	@Test
	default void refundedUnitsCanBeChargedAgain() {
		BucketFamily family = Demands.perMinute("back", 10);
		settle(family, tryAcquire(Demands.charge(family, "ann", 8)), -5);
		assertThat(remaining(family, "ann")).isEqualTo(7);
		assertThat(allows(Demands.charge(family, "ann", 7))).isTrue();
		assertThat(allows(Demands.charge(family, "ann", 1))).isFalse();
	}

	@Test
	default void refundNeverExceedsTheCapacity() {
		BucketFamily family = Demands.perMinute("beyond", 10);
		AcquireResult charged = tryAcquire(Demands.charge(family, "ann", 5));
		tryAcquire(Demands.charge(family, "ann", 2));
		at(24_000);
		settle(family, charged, -5);
		assertThat(remaining(family, "ann")).isEqualTo(10);
		assertThat(allows(Demands.charge(family, "ann", 11))).isFalse();
	}

	@Test
	default void refundOfForgottenBucketCreatesNothing() {
		BucketFamily family = Demands.perMinute("forgotten", 10);
		AcquireResult charged = tryAcquire(Demands.charge(family, "ann", 5));
		store().reset(List.of(new Bucket(family, "ann"))).join();
		settle(family, charged, -5);
		assertThat(remembered()).isZero();
		assertThat(allows(Demands.charge(family, "ann", 11))).isFalse();
	}

	@Test
	default void debtIsRepaidBeforeNewCharges() {
		BucketFamily family = Demands.perMinute("debt", 10);
		settle(family, tryAcquire(Demands.charge(family, "ann", 10)), 5);
		assertThat(remaining(family, "ann")).isZero();
		assertThat(tryAcquire(Demands.charge(family, "ann", 1)).verdicts().get(0).retryAfterMillis()).isEqualTo(36_000);
		at(35_999);
		assertThat(allows(Demands.charge(family, "ann", 1))).isFalse();
		at(36_000);
		assertThat(allows(Demands.charge(family, "ann", 1))).isTrue();
	}

	@Test
	default void aDebtIsAtMostOneCapacity() {
		BucketFamily family = Demands.perMinute("deep", 10);
		settle(family, tryAcquire(Demands.charge(family, "ann", 10)), 1L << 52);
		assertThat(tryAcquire(Demands.charge(family, "ann", 1)).verdicts().get(0).retryAfterMillis()).isEqualTo(66_000);
		settle(family, tryAcquire(Demands.charge(family, "ann", 0)), 1);
		assertThat(tryAcquire(Demands.charge(family, "ann", 1)).verdicts().get(0).retryAfterMillis()).isEqualTo(66_000);
	}

	@Test
	default void usageBeyondChargeOfForgottenBucketIsCharged() {
		BucketFamily family = Demands.perMinute("late", 10);
		AcquireResult charged = tryAcquire(Demands.charge(family, "ann", 1));
		at(6_000);
		settle(family, charged, 4);
		assertThat(remaining(family, "ann")).isEqualTo(6);
	}

	// Otherwise, clients could keep requests open and use their refunds for an unlimited
	// burst.
	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra" })
	default void aChargeThatHasRefilledIsNotRefunded(String algorithm) {
		BucketFamily family = Demands.family("old-" + algorithm, new Limit(algorithm, 10, Duration.ofMinutes(1), 10));
		AcquireResult first = tryAcquire(Demands.charge(family, "ann", 5));
		at(1);
		AcquireResult second = tryAcquire(Demands.charge(family, "ann", 5));
		at(60_000);
		assertThat(allows(Demands.charge(family, "ann", 10))).isTrue();
		settle(family, first, -5);
		assertThat(remaining(family, "ann")).isZero();
		settle(family, second, -5);
		assertThat(remaining(family, "ann")).as("a part of it may not have refilled").isEqualTo(5);
	}

}
