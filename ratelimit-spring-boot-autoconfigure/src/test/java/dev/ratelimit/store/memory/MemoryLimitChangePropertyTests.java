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

	@Property
	void changesGrantNoMoreThanTheLargestLimitAndOneOldCapacity(@ForAll("algorithms") String algorithm,
			@ForAll long seed) {
		MemoryLimitStore store = new MemoryLimitStore(1000, () -> 60_000_000_000L);
		assertThat(new LimitChanges(store, seed).excess(algorithm)).isNotPositive();
	}

}
