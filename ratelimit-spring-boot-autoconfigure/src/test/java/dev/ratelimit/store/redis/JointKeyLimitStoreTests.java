package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.redis.RedisTest;

/**
 * What holds for all stores holds for limits that lie together too.
 */
@RedisTest
class JointKeyLimitStoreTests extends AbstractRedisStoreTests {

	private final LimitStore store = new JoiningLimitStore(clockedStore());

	@Override
	public LimitStore store() {
		return this.store;
	}

}
