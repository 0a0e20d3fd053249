package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.redis.RedisTest;

/**
 * Tests the store contract for decisions and corrections that share a call with others,
 * some of which fail.
 */
@RedisTest
class JoinedLimitStoreTests extends AbstractRedisStoreTests {

	private final RedisLimitStore store = joinedStore();

	@Override
	public LimitStore store() {
		return this.store;
	}

}
