package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.redis.RedisTest;

/**
 * What holds for all stores holds for decisions and corrections that are made by one call
 * with those of others, some of which fail.
 */
@RedisTest
class JoinedLimitStoreTests extends AbstractRedisStoreTests {

	private final RedisLimitStore store = joinedStore();

	@Override
	public LimitStore store() {
		return this.store;
	}

}
