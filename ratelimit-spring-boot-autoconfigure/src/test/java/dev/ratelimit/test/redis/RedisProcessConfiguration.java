package dev.ratelimit.test.redis;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * The connection to a server that runs as a process.
 */
@TestConfiguration(proxyBeanMethods = false)
class RedisProcessConfiguration {

	@Bean
	DataRedisConnectionDetails testRedisConnectionDetails() {
		return new SharedRedis();
	}

	private static final class SharedRedis implements DataRedisConnectionDetails {

		@Override
		public Standalone getStandalone() {
			TestRedis redis = TestRedis.shared();
			return Standalone.of(redis.host(), redis.port());
		}

	}

}
