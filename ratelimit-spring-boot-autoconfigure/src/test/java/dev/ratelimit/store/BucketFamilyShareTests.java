package dev.ratelimit.store;

import java.time.Duration;
import java.util.SplittableRandom;

import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.test.RandomLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the share of one instance is a valid limit for every limit.
 */
class BucketFamilyShareTests {

	private static final int LIMITS = 4_000;

	static Iterable<String> algorithms() {
		return Algorithms.ids();
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void everyShareCanBeCounted(String algorithm) {
		long seed = System.nanoTime();
		SplittableRandom random = new SplittableRandom(seed);
		for (int i = 0; i < LIMITS; i++) {
			Limit limit = RandomLimits.next(random, algorithm);
			int instances = 1 + random.nextInt((random.nextBoolean()) ? 5 : 1000);
			Limit share = family(limit).share(instances).policy().limit().orElseThrow();
			assertThat(share.burst()).as("seed %d: %s by %d", seed, limit, instances)
				.isBetween(1L, Math.max(1, limit.burst() / instances));
			assertThat(share.quantity()).isBetween(1L, Math.max(1, limit.quantity() / instances));
		}
	}

	// The product of the units and the period in milliseconds exceeds 63 bits.
	@ParameterizedTest
	@ValueSource(longs = { 3_443_855_219L, 5_000_000_000L, 1_000_000_000_000L })
	void aShareOfAVeryLargeLimitIsAsLarge(long units) {
		Limit limit = new Limit("token-bucket", units, Duration.ofDays(31), units);
		assertThat(family(limit).share(1).policy().limit()).hasValue(limit);
		assertThat(LimitShare.of(limit, 50, 100).quantity()).isEqualTo(units / 2);
	}

	private static BucketFamily family(Limit limit) {
		return new BucketFamily(new Policy("p", "p", limit, Policy.Unit.REQUESTS, false),
				Algorithms.find(limit.algorithm()).orElseThrow());
	}

}
