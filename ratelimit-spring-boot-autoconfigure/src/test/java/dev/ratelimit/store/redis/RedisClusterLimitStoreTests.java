package dev.ratelimit.store.redis;

import dev.ratelimit.store.StoreStageContract;
import dev.ratelimit.test.redis.RedisClusterTest;

@RedisClusterTest
class RedisClusterLimitStoreTests extends AbstractClusterStoreTests implements StoreStageContract {

}
