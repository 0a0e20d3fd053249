package dev.ratelimit.live.redis;

import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("topology")
@Tag("redis")
@Tag("long")
class RedisSentinelRuleSourceContractTests extends AbstractRedisRuleSourceContract {

	private static final TestSentinel GROUP = TestSentinel.startSteady();

	@AfterAll
	static void stop() {
		GROUP.close();
	}

	@Override
	RedisConnector connector() {
		return LiveConnection.to(GROUP);
	}

	@Override
	TestRedis server() {
		return GROUP.master();
	}

}
