package dev.ratelimit.sample;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStoreContract;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the contract of stores as users run it: outside of the library, with the
 * published artifact.
 */
class CountingLimitStoreTests implements LimitStoreContract {

	private static final long START = 60_000_000_000L;

	private final AtomicLong clock = new AtomicLong(START);

	private final MemoryLimitStore memory = new MemoryLimitStore(10_000, this.clock::get);

	private final CountingLimitStore store = new CountingLimitStore(this.memory);

	@Override
	public CountingLimitStore store() {
		return this.store;
	}

	@Override
	public void at(long millis) {
		this.clock.set(START + millis);
	}

	@Override
	public long remembered() {
		return this.memory.size();
	}

	@Test
	void countsRefusals() {
		assertThat(allows(Demands.charge(Demands.perMinute("search", 1), "ann", 1))).isTrue();
		assertThat(this.store.refusals()).isZero();
		assertThat(allows(Demands.charge(Demands.perMinute("search", 1), "ann", 1))).isFalse();
		assertThat(this.store.refusals()).isEqualTo(1);
	}

}
