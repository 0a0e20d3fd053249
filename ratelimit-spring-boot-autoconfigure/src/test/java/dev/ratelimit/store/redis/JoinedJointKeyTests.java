package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.redis.RedisTest;

/**
 * Limits that lie together, in calls that are joined with those of others.
 */
@RedisTest
class JoinedJointKeyTests extends AbstractRedisStoreTests {

	private final LimitStore store = new JoiningLimitStore(joinedStore());

	@Override
	public LimitStore store() {
		return this.store;
	}

}
