package dev.ratelimit.autoconfigure;

import java.util.Map;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.redis.ApplicationRedis;
import dev.ratelimit.store.redis.RedisConnectionProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnconfiguredRedisTests {

	private final ApplicationContextRunner runner = EnableAuto.plain();

	@Test
	void theConnectionThatBootMakesIsLeftAlone() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(RedisConnectionFactory.class)
			.hasSingleBean(DataRedisConnectionDetails.class)
			.hasBean("redisTemplate")
			.hasBean("redisHealthContributor")
			.doesNotHaveBean(ApplicationRedis.class));
	}

	@Test
	void storeIsMemoryAndOneLineSaysSo(CapturedOutput output) {
		this.runner
			.run((context) -> assertThat(context.getBean(LimitStore.class)).isInstanceOf(MemoryLimitStore.class));
		assertThat(output.getOut().lines().filter((line) -> line.contains("Using the "))).singleElement()
			.asString()
			.contains("in-memory store", "limits are per instance", "'ratelimit.redis.host'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.redis.host=localhost", "ratelimit.redis.port=6390",
			"ratelimit.redis.url=redis://localhost:6390", "ratelimit.redis.cluster.nodes=localhost:6390",
			"ratelimit.redis.sentinel.nodes[0]=localhost:6390", "spring.data.redis.host=localhost",
			"spring.data.redis.port=6390", "spring.data.redis.url=redis://localhost:6390",
			"spring.data.redis.sentinel.master=mymaster", "spring.data.redis.sentinel.nodes=localhost:6390",
			"spring.data.redis.sentinel.nodes[0]=localhost:6390", "spring.data.redis.cluster.nodes=localhost:6390",
			"spring.data.redis.cluster.nodes[0]=localhost:6390",
			"spring.data.redis.masterreplica.nodes=localhost:6390,localhost:6391", "ratelimit.store=redis" })
	void propertiesThatSayWhereRedisIs(String property) {
		String[] pair = property.split("=", 2);
		assertThat(RedisConnectionProperties.areSet(new MockEnvironment().withProperty(pair[0], pair[1]))).isTrue();
	}

	@Test
	void anEnvironmentVariableMaySayWhereRedisIs() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
					Map.of("RATELIMIT_REDIS_HOST", "localhost")));
		assertThat(RedisConnectionProperties.areSet(environment)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.database=3", "spring.data.redis.timeout=2s",
			"spring.data.redis.repositories.enabled=true", "ratelimit.redis.key-prefix=shop" })
	void propertiesThatDoNotSayWhereRedisIsAreNotEnough(String property) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context).hasSingleBean(MemoryLimitStore.class));
	}

}
