package dev.ratelimit.test.redis;

import java.nio.file.Path;

import com.redis.testcontainers.RedisContainer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class RedisConnectionSelectorTests {

	@Test
	void processIsConnectedByDetails() {
		assertThat(RedisConnectionSelector.imports(new RedisSource.Executable("path", Path.of("redis-server"))))
			.containsExactly(RedisProcessConfiguration.class.getName());
	}

	@Test
	void containerIsConnectedBySpringBoot() {
		assertThat(RedisConnectionSelector.imports(new RedisSource.Docker())).containsExactly(
				RedisContainerConfiguration.class.getName(), ServiceConnectionAutoConfiguration.class.getName());
	}

	@Test
	void containerBeanIsFoundInTheOrderOfTheImports() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withUserConfiguration(ImportsInOrder.class)
			.run((context) -> {
				Standalone standalone = context.getBean(DataRedisConnectionDetails.class).getStandalone();
				assertThat(standalone).isNotNull();
				assertThat(standalone.getPort()).isEqualTo(12345);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ StandInConfiguration.class, ServiceConnectionAutoConfiguration.class })
	static class ImportsInOrder {

	}

	@Configuration(proxyBeanMethods = false)
	static class StandInConfiguration {

		@Bean
		@ServiceConnection
		RedisContainer container() {
			return new StandInContainer();
		}

	}

	/**
	 * A container that is never started, so that the test needs no Docker.
	 */
	private static final class StandInContainer extends RedisContainer {

		StandInContainer() {
			super("redis:8.2");
		}

		@Override
		public void start() {
			// There is no container to start.
		}

		@Override
		public String getHost() {
			return "127.0.0.1";
		}

		@Override
		public Integer getMappedPort(int originalPort) {
			return 12345;
		}

	}

}
