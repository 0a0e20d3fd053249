package dev.ratelimit.store.memory;

import dev.ratelimit.store.LimitChanges;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryLimitChangePropertyTests {

	@Provide
	Arbitrary<String> algorithms() {
		return Arbitraries.of("token-bucket", "gcra", "leaky-bucket", "fixed-window", "sliding-window", "sliding-log");
	}

	// The third limit uses the bucket of the second limit, and charges more than the
	// capacity of the second limit.
	@Property
	void aLimitThatSharedItsBucketWithASmallerOneIsMovedAsAWhole(@ForAll("algorithms") String algorithm) {
		assertThat(excess(algorithm, -16847831915348L)).isNotPositive();
		assertThat(excess(algorithm, -5643185848762955036L)).isNotPositive();
		assertThat(excess(algorithm, 5942089324914177605L)).isNotPositive();
	}

	@Property
	void changesGrantNoMoreThanTheLargestLimitAndOneOldCapacity(@ForAll("algorithms") String algorithm,
			@ForAll long seed) {
		assertThat(excess(algorithm, seed)).isNotPositive();
	}

	private static long excess(String algorithm, long seed) {
		return new LimitChanges(new MemoryLimitStore(1000, () -> 60_000_000_000L), seed).excess(algorithm);
	}

}
