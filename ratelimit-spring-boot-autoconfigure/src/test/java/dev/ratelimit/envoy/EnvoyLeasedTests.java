package dev.ratelimit.envoy;

import java.util.List;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.BeforeEach;

@RedisTest
class EnvoyLeasedTests extends EnvoyServiceContract {

	private TestRedis redis;

	@BeforeEach
	void use(TestRedis started) {
		this.redis = started;
	}

	@Override
	List<String> store() {
		return List.of("--ratelimit.deadline=20s", "--ratelimit.redis.host=" + this.redis.host(),
				"--ratelimit.redis.port=" + this.redis.port(), "--ratelimit.defaults.consistency=leased");
	}

}
