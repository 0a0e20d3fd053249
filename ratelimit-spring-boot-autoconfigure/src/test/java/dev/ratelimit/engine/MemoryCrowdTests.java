package dev.ratelimit.engine;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Source;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.junit.jupiter.api.Test;

class MemoryCrowdTests {

	private final AtomicLong clock = new AtomicLong(60_000_000_000L);

	private final MemoryLimitStore store = new MemoryLimitStore(1000, this.clock::get);

	@Test
	void leasesAreCountedExactlyHoweverRequestsEnd() {
		new LeaseStorm(this.store, this.clock).blow(100_000);
	}

	@Test
	void severalLimitsAllowExactlyWhatFits() {
		new CrowdedLimits(this.store).check(Source.LOCAL);
	}

}
