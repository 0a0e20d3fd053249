package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.guard.LocalBuckets.LocalBucket;
import dev.ratelimit.test.Limits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LocalBucketsTests {

	private final LocalBuckets buckets = new LocalBuckets(() -> 2, Time.SYSTEM);

	@Test
	void sharesOfFormerLiveRulesAreForgotten() {
		List<BucketFamily> families = IntStream.range(0, 12_000)
			.mapToObj((i) -> Demands.concurrent("rule" + i, Limits.concurrent(4, Duration.ofSeconds(30))))
			.toList();
		List<BucketFamily> shares = families.stream().map(this::share).toList();
		assertThat(shares.get(0).calculator().capacity()).isEqualTo(2);
		assertThat(share(families.get(11_999))).as("in use").isSameAs(share(families.get(11_999)));
		long known = IntStream.range(0, 12_000).filter((i) -> share(families.get(i)) == shares.get(i)).count();
		assertThat(known).isBetween(1L, 10_000L);
	}

	@Test
	void theWholeCostIsOwedThoughTheShareHoldsLess() {
		LocalBucket bucket = charged(8);
		List<Long> owed = new ArrayList<>();
		bucket.owe(5, (units) -> {
			owed.add(units);
			return Optional.empty();
		});
		assertThat(owed).containsExactly(8L);
	}

	@Test
	void afterACorrectionTheActualCostIsOwed() {
		LocalBucket bucket = charged(8);
		Debt debt = new Debt(bucket.remote(), 0, bucket.takenNanos());
		bucket.owe(5, (units) -> {
			debt.add(units, bucket.takenNanos());
			return Optional.of(debt);
		});
		bucket.correct(7 - 5, bucket.takenNanos());
		assertThat(debt.due(bucket.takenNanos())).isEqualTo(7);
		bucket.correct(6 - 7, bucket.takenNanos());
		assertThat(debt.due(bucket.takenNanos())).isEqualTo(6);
	}

	@Test
	void nothingIsOwedOfARequestThatWasRefundedBefore() {
		LocalBucket bucket = charged(8);
		bucket.correct(-5, bucket.takenNanos());
		bucket.owe(5, (units) -> {
			throw new AssertionError(units + " are owed");
		});
	}

	private LocalBucket charged(long cost) {
		Charge charge = new Charge(
				new Bucket(Demands.family("debt", new Limit(Algorithms.DEFAULT, 10, Duration.ofDays(1), 10)), "ann"),
				cost, FailurePolicy.LOCAL, Stance.ENFORCED, false);
		Charge share = this.buckets.of(List.of(charge)).get(0);
		assertThat(share.cost()).isEqualTo(5);
		return (LocalBucket) share.bucket();
	}

	private BucketFamily share(BucketFamily family) {
		Charge charge = new Charge(new Bucket(family, "ann"), 1, FailurePolicy.LOCAL, Stance.ENFORCED, false);
		return this.buckets.of(List.of(charge)).get(0).bucket().family();
	}

}
