package dev.ratelimit.live.redis;

import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;

@RedisClusterTest
class RedisClusterRuleSourceContractTests extends AbstractRedisRuleSourceContract {

	@Override
	RedisConnector connector() {
		return LiveConnection.to(TestCluster.shared());
	}

	@Override
	TestRedis server() {
		return TestCluster.shared().nodeOf("{live}");
	}

}
