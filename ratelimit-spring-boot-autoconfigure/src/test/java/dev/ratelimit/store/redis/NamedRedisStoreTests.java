package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.OtherFamilies;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.route.RoutedLimitStore;
import dev.ratelimit.store.route.StoreRoute;
import dev.ratelimit.store.slot.SlottedLimitStore;
import dev.ratelimit.test.redis.RedisTest;

/**
 * Tests the contract of a store that limits reference by name, beside an unused default
 * store.
 */
@RedisTest
class NamedRedisStoreTests extends AbstractRedisStoreTests {

	private static final String NAME = "acme";

	private final StoreStage store = new OtherFamilies(routed(clockedStore()), (family) -> family.in(NAME));

	private static RoutedLimitStore routed(RedisLimitStore named) {
		MemoryLimitStore usual = new MemoryLimitStore(1, () -> 0);
		return new RoutedLimitStore(usual,
				List.of(StoreRoute.called(BucketFamily.DEFAULT_STORE, usual, Optional.empty(), 0),
						StoreRoute.called(NAME, named, Optional.empty(), 0)),
				(perSlot, slots) -> new SlottedLimitStore(perSlot, slots, Time.SYSTEM));
	}

	@Override
	public LimitStore store() {
		return this.store;
	}

}
