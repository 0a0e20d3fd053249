package dev.ratelimit.autoconfigure;

import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("redis")
class StoreFailureTests {

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS);

	@Test
	void redisThatIsAskedForButDoesNotAnswerIsRejected() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("ratelimit.store=redis", "spring.data.redis.port=1"));
		assertThat(analysis.getDescription()).contains("'ratelimit.store' is 'redis', but Redis is unavailable");
		assertThat(analysis.getAction()).contains("Start Redis and check 'ratelimit.redis' or 'spring.data.redis'",
				"'ratelimit.store: auto'");
	}

	@Test
	void redisThatRejectsTheUserIsRejected() {
		TestRedis redis = TestRedis.shared();
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues("ratelimit.store=redis",
				"spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
				"spring.data.redis.username=nobody", "spring.data.redis.password=wrong"));
		assertThat(analysis.getDescription()).contains("Redis is unavailable", "WRONGPASS");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.store=redis", "ratelimit.redis.host=localhost" })
	void redisThatIsConfiguredWithoutLettuceIsRejected(String property) {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues(property).withClassLoader(new FilteredClassLoader("io.lettuce")));
		assertThat(analysis.getDescription()).contains("Redis is configured", "Lettuce is not on the classpath");
		assertThat(analysis.getAction()).contains("'io.lettuce:lettuce-core'", "'ratelimit.store: memory'");
	}

	@Test
	void credentialsOfAConnectionThatIsNotInUseAreRejected() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("spring.data.redis.port=1", "ratelimit.redis.password=tell-tale"));
		assertThat(analysis.getDescription())
			.contains("'ratelimit.redis.password' is set", "uses the application's connection")
			.doesNotContain("tell-tale");
		assertThat(analysis.getAction()).contains("'ratelimit.redis.host'");
	}

	@Test
	void factoryThatIsNotLettucesIsRejected() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withUserConfiguration(OtherFactory.class));
		assertThat(analysis.getDescription()).contains("Connection factories of type StubFactory are not supported");
		assertThat(analysis.getAction()).contains("'ratelimit.redis.host'", "'ratelimit.store: memory'");
	}

	@Test
	void jedisIsRejected() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("spring.data.redis.client-type=jedis", "spring.data.redis.port=1"));
		assertThat(analysis.getDescription()).contains("type JedisConnectionFactory are not supported");
		assertThat(analysis.getAction()).contains("'ratelimit.redis.host'");
	}

	@Test
	void factoryThatIsNotLettucesIsLeftAloneWhereTheStoreIsMemory() {
		this.runner.withUserConfiguration(OtherFactory.class)
			.withPropertyValues("ratelimit.store=memory")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(StubFactory.class));
	}

	@Test
	void aMasterReplicaGroupIsRejected() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withPropertyValues("spring.data.redis.masterreplica.nodes=localhost:6390,localhost:6391"));
		assertThat(analysis.getDescription()).contains("Static master-replica groups");
		assertThat(analysis.getAction()).contains("'ratelimit.redis'", "'ratelimit.store: memory'");
	}

	@Configuration(proxyBeanMethods = false)
	static class OtherFactory {

		@Bean
		StubFactory stubFactory() {
			return new StubFactory();
		}

	}

	static class StubFactory implements RedisConnectionFactory {

		@Override
		public RedisConnection getConnection() {
			throw new UnsupportedOperationException();
		}

		@Override
		public RedisClusterConnection getClusterConnection() {
			throw new UnsupportedOperationException();
		}

		@Override
		public RedisSentinelConnection getSentinelConnection() {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean getConvertPipelineAndTxResults() {
			return true;
		}

		@Override
		public DataAccessException translateExceptionIfPossible(RuntimeException ex) {
			throw new UnsupportedOperationException();
		}

	}

}
