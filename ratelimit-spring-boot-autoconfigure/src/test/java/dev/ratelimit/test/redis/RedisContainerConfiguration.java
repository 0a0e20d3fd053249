package dev.ratelimit.test.redis;

import com.redis.testcontainers.RedisContainer;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;

/**
 * The connection to a server that runs in a container.
 */
@TestConfiguration(proxyBeanMethods = false)
class RedisContainerConfiguration {

	@Bean
	@ServiceConnection
	RedisContainer testRedisContainer() {
		return ((ContainerNode) TestRedis.shared().node()).container();
	}

}
