package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.Time;
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
		assertThat(shares.get(0).arithmetic().capacity()).isEqualTo(2);
		assertThat(share(families.get(11_999))).as("in use").isSameAs(share(families.get(11_999)));
		long known = IntStream.range(0, 12_000).filter((i) -> share(families.get(i)) == shares.get(i)).count();
		assertThat(known).isBetween(1L, 10_000L);
	}

	private BucketFamily share(BucketFamily family) {
		Charge charge = new Charge(new Bucket(family, "ann"), 1, FailurePolicy.LOCAL, Stance.ENFORCED, false);
		return this.buckets.of(List.of(charge)).get(0).bucket().family();
	}

}
