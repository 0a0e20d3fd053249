package dev.ratelimit.test.redis;

import org.junit.jupiter.api.RepeatedTest;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class RedisExtensionTests {

	@RepeatedTest(2)
	void sharedServerIsEmptyBeforeEachTest(TestRedis redis) {
		assertThat(redis).isSameAs(TestRedis.shared());
		assertThat(redis.keys("*")).isEmpty();
		redis.command("SET", "key", "value");
	}

}
