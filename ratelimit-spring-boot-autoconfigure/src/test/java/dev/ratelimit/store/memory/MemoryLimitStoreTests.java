package dev.ratelimit.store.memory;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Source;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreStageContract;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryLimitStoreTests implements StoreStageContract {

	private static final long TODAY = 60_000_000_000L;

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final MemoryLimitStore store = new MemoryLimitStore(10_000, this.clock::get);

	@Override
	public MemoryLimitStore store() {
		return this.store;
	}

	@Override
	public void at(long millis) {
		this.clock.set(TODAY + millis);
	}

	@Override
	public long remembered() {
		return this.store.size();
	}

	@Test
	void answersAtOnceAndSaysThatItIsLocal() {
		assertThat(this.store.acquire(Demands.of(Demands.charge(Demands.perMinute("at-once", 1), "ann", 1))))
			.isCompletedWithValueMatching((answer) -> answer.source() == Source.LOCAL);
		assertThat(this.store.name()).isEqualTo("memory");
	}

}
