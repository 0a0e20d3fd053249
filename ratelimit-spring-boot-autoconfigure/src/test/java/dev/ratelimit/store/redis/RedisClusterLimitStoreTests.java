package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitStoreContract;
import dev.ratelimit.test.redis.RedisClusterTest;

@RedisClusterTest
class RedisClusterLimitStoreTests extends AbstractClusterStoreTests implements LimitStoreContract {

}
