package dev.ratelimit.store.memory;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demands;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the time for which the cache keeps a bucket.
 */
class MemoryBucketTests {

	private static final long TODAY = 60_000_000_000L;

	private final MemoryBucket bucket = new MemoryBucket(new Bucket(Demands.perMinute("kept", 10), "ann"),
			TODAY + MemoryBucket.MIN_SLACK_MILLIS);

	private long keptUntilMillis = TODAY + MemoryBucket.MIN_SLACK_MILLIS;

	private int extensions;

	@Test
	void newBucketIsKeptASecondLongerThanItNeeds() {
		keep(TODAY + 5000);
		assertThat(this.keptUntilMillis).isEqualTo(TODAY + 6000);
	}

	@Test
	void bucketThatIsFullAtOnceIsExtendedBeforeItsEndAndSeldom() {
		for (long nowMillis = TODAY; nowMillis < TODAY + 64_000; nowMillis++) {
			keep(nowMillis);
			assertThat(this.keptUntilMillis).isBetween(nowMillis + 1, nowMillis + 8000);
		}
		assertThat(this.extensions).isEqualTo(11);
	}

	private void keep(long fullMillis) {
		if (!this.bucket.outlives(fullMillis)) {
			this.keptUntilMillis = this.bucket.extension(fullMillis);
			this.bucket.extended(this.keptUntilMillis);
			this.extensions++;
		}
	}

}
