package dev.ratelimit.autoconfigure;

import java.util.Map;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.ReactiveRedisTemplate;
import org.springframework.data.redis.core.RedisOperations;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnconfiguredRedisTests {

	private final ApplicationContextRunner runner = EnableAuto.plain();

	@Test
	void thereIsNoConnectionAndNothingOfIt() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(RedisConnectionFactory.class)
			.doesNotHaveBean(DataRedisConnectionDetails.class)
			.doesNotHaveBean(DataRedisAutoConfiguration.class)
			.doesNotHaveBean(RedisOperations.class)
			.doesNotHaveBean(ReactiveRedisTemplate.class));
	}

	@Test
	void healthSaysNothingOfRedis() {
		this.runner.run((context) -> assertThat(context).hasBean("ratelimitHealthIndicator")
			.doesNotHaveBean("redisHealthContributor"));
	}

	@Test
	void thereAreNoRedisRepositories() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(DataRedisRepositoriesAutoConfiguration.class));
	}

	@Test
	void cachingDoesNotTurnToRedis() {
		this.runner.withUserConfiguration(Caching.class)
			.run((context) -> assertThat(context.getBean(CacheManager.class)).isNotInstanceOf(RedisCacheManager.class));
	}

	@Test
	void storeIsMemoryAndOneLineSaysSo(CapturedOutput output) {
		this.runner
			.run((context) -> assertThat(context.getBean(LimitStore.class)).isInstanceOf(MemoryLimitStore.class));
		assertThat(output.getOut().lines().filter((line) -> line.contains("Rate limits are counted"))).singleElement()
			.asString()
			.contains("in memory", "by this instance alone", "'spring.data.redis.host'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.host=localhost", "spring.data.redis.port=6390",
			"spring.data.redis.url=redis://localhost:6390",
			"spring.data.redis.sentinel.master=mymaster,spring.data.redis.sentinel.nodes=localhost:6390",
			"spring.data.redis.sentinel.nodes[0]=localhost:6390,spring.data.redis.sentinel.master=mymaster",
			"spring.data.redis.cluster.nodes=localhost:6390", "spring.data.redis.cluster.nodes[0]=localhost:6390",
			"spring.data.redis.masterreplica.nodes=localhost:6390,localhost:6391", "ratelimit.store=redis" })
	void connectionIsBootsWhereAPropertySaysSo(String properties) {
		// The store is left to memory: it is Boot's connection that matters here.
		this.runner.withPropertyValues(properties.split(",(?=spring)"))
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(RedisConnectionFactory.class)
				.hasBean("redisTemplate")
				.hasBean("stringRedisTemplate"));
	}

	@Test
	void connectionIsBootsWhereAnEnvironmentVariableSaysSo() {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("SPRING_DATA_REDIS_HOST", "localhost"))))
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(RedisConnectionFactory.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.database=3", "spring.data.redis.timeout=2s",
			"spring.data.redis.repositories.enabled=true" })
	void propertiesThatDoNotSayWhereRedisIsAreNotEnough(String property) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context).hasSingleBean(MemoryLimitStore.class)
				.doesNotHaveBean(RedisConnectionFactory.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

	}

}
