package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.ratelimit.test.Limits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of a store for slots that an instance holds and renews.
 */
interface HoldingContract extends StoreUnderTest {

	private static BucketFamily slots(String rule, long quantity) {
		return Demands.concurrent(rule, Limits.concurrent(quantity, Duration.ofSeconds(30)));
	}

	private int renew(BucketFamily family, String subject, long units) {
		return stage().renew(Map.of(new Bucket(family, subject), units)).join().lost();
	}

	@Test
	default void slotsThatAreRenewedOutliveTheLease() {
		BucketFamily family = slots("renewed", 2);
		tryAcquire(Demands.charge(family, "ann", 2));
		for (int i = 1; i < 10; i++) {
			at(20_000 * i);
			assertThat(renew(family, "ann", 2)).isZero();
			assertThat(allows(Demands.charge(family, "ann", 1))).isFalse();
		}
		at(20_000 * 9 + 30_000);
		assertThat(allows(Demands.charge(family, "ann", 2))).isTrue();
	}

	@Test
	default void aRenewalSaysHowManySlotsThereAre() {
		BucketFamily family = slots("counted", 5);
		tryAcquire(Demands.charge(family, "ann", 4));
		renew(family, "ann", 1);
		assertThat(remaining(family, "ann")).isEqualTo(4);
		renew(family, "ann", 7);
		assertThat(remaining(family, "ann")).isZero();
		long before = remembered();
		renew(family, "ann", 0);
		assertThat(remaining(family, "ann")).isEqualTo(5);
		assertThat(remembered()).isLessThanOrEqualTo(before);
	}

	@Test
	default void slotsThatWereForgottenAreEnteredAgainAndCountedAsLost() {
		BucketFamily family = slots("lost", 5);
		tryAcquire(Demands.charge(family, "ann", 2));
		store().reset(List.of(new Bucket(family, "ann"))).join();
		assertThat(renew(family, "ann", 2)).isOne();
		assertThat(remaining(family, "ann")).isEqualTo(3);
		assertThat(renew(family, "ann", 2)).isZero();
	}

	@Test
	default void requestsThatLeaveSlotsToOthersCountInTheirBucket() {
		BucketFamily whole = slots("reserved", 10);
		BucketFamily lower = slots("reserved", 6);
		AcquireResult six = tryAcquire(Demands.charge(lower, "ann", 6));
		assertThat(six.allowed()).isTrue();
		assertThat(allows(Demands.charge(lower, "ann", 1))).isFalse();
		assertThat(remaining(whole, "ann")).isEqualTo(4);
		AcquireResult two = tryAcquire(Demands.charge(whole, "ann", 2));
		assertThat(remaining(lower, "ann")).isZero();
		assertThat(remaining(whole, "ann")).isEqualTo(2);
		// The correction may be up to twice the capacity of the request.
		store().settle(List.of(new Settlement(new Bucket(lower, "ann"), two.charge(0).takenAtMillis(), 9))).join();
		store().settle(List.of(new Settlement(new Bucket(lower, "ann"), two.charge(0).takenAtMillis(), -10))).join();
		assertThat(remaining(whole, "ann")).isEqualTo(8);
		renew(lower, "ann", 9);
		assertThat(remaining(whole, "ann")).isOne();
		assertThat(remaining(lower, "ann")).isZero();
	}

	@Test
	default void manyBucketsAreRenewedInOneCall() {
		BucketFamily family = slots("many", 2);
		List<String> subjects = List.of("ann", "bob", "cy", "dee");
		subjects.forEach((subject) -> tryAcquire(Demands.charge(family, subject, 1)));
		at(20_000);
		stage()
			.renew(subjects.stream().collect(Collectors.toMap((subject) -> new Bucket(family, subject), (one) -> 1L)))
			.join();
		at(40_000);
		subjects.forEach((subject) -> assertThat(remaining(family, subject)).isOne());
	}

}
