package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.redis.RedisTest;

/**
 * Tests limits with a joint key in calls that are joined with other calls.
 */
@RedisTest
class JoinedJointKeyTests extends AbstractRedisStoreTests {

	private final LimitStore store = new JoiningLimitStore(joinedStore());

	@Override
	public LimitStore store() {
		return this.store;
	}

}
