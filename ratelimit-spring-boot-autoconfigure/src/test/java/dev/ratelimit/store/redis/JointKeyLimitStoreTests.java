package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.redis.RedisTest;

/**
 * Tests the store contract for limits with a joint key.
 */
@RedisTest
class JointKeyLimitStoreTests extends AbstractRedisStoreTests {

	private final LimitStore store = new JoiningLimitStore(clockedStore());

	@Override
	public LimitStore store() {
		return this.store;
	}

}
