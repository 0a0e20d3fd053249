package dev.ratelimit.live.redis;

import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;

@RedisTest
class RedisRuleSourceContractTests extends AbstractRedisRuleSourceContract {

	@Override
	RedisConnector connector() {
		return LiveConnection.to(TestRedis.shared());
	}

	@Override
	TestRedis server() {
		return TestRedis.shared();
	}

}
