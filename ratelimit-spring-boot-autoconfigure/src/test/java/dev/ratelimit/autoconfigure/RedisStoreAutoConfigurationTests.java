package dev.ratelimit.autoconfigure;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.guard.StoreMetrics;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.memory.MemoryStoreMetrics;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.WithRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class RedisStoreAutoConfigurationTests {

	/** Excludes auto-configurations that do not support several connections. */
	private static final String WITHOUT_REACTIVE = "spring.autoconfigure.exclude="
			+ DataRedisReactiveAutoConfiguration.class.getName() + ","
			+ DataRedisRepositoriesAutoConfiguration.class.getName();

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "ratelimit.deadline=5s",
				"spring.application.name=orders");

	@Test
	void storeIsRedisWherePropertiesSayWhereItIs(TestRedis redis) {
		this.runner
			.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
			.run((context) -> assertCountsInRedis(context, redis));
	}

	@Test
	void theLimitersOwnConnectionLeavesThatOfTheApplicationAlone(TestRedis redis) {
		this.runner
			.withPropertyValues("spring.data.redis.port=1", "ratelimit.redis.host=" + redis.host(),
					"ratelimit.redis.port=" + redis.port())
			.run((context) -> {
				assertCountsInRedis(context, redis);
				assertThat(context.getBean(LettuceConnectionFactory.class).getPort()).isEqualTo(1);
			});
	}

	@Test
	void theLimitersOwnConnectionDecidesAmongSeveralOfTheApplication(TestRedis redis) {
		this.runner.withUserConfiguration(OwnFactory.class, SecondFactory.class)
			.withPropertyValues(WITHOUT_REACTIVE, "ratelimit.redis.host=" + redis.host(),
					"ratelimit.redis.port=" + redis.port())
			.run((context) -> assertCountsInRedis(context, redis));
	}

	@Test
	void thePrimaryFactoryDecidesAmongSeveral() {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withUserConfiguration(OwnFactory.class, SecondFactory.class)
				.withPropertyValues(WITHOUT_REACTIVE));
		assertThat(analysis.getDescription()).contains("more than one connection to Redis");
		assertThat(analysis.getAction()).contains("@Primary", "'ratelimit.redis.host'");
	}

	@Test
	void storeIsRedisWhereConnectionDetailsSayWhereItIs(TestRedis redis) {
		this.runner.withUserConfiguration(WithRedis.Config.class).run((context) -> {
			assertCountsInRedis(context, redis);
			assertThat(context).hasSingleBean(RedisConnectionFactory.class)
				.hasBean("redisTemplate")
				.hasBean("stringRedisTemplate")
				.hasBean("reactiveStringRedisTemplate")
				.hasBean("redisHealthContributor");
			context.getBean(StringRedisTemplate.class).opsForValue().set("key", "value");
			assertThat(redis.command("GET", "key")).isEqualTo("value");
		});
	}

	@Test
	void cachingTurnsToRedisAsUsualWhereConnectionDetailsSayWhereItIs() {
		this.runner.withUserConfiguration(WithRedis.Config.class, Caching.class)
			.run((context) -> assertThat(context.getBean(CacheManager.class)).isInstanceOf(RedisCacheManager.class));
	}

	@Test
	void storeIsRedisThroughTheUsersOwnFactory(TestRedis redis) {
		this.runner.withUserConfiguration(OwnFactory.class).run((context) -> {
			assertCountsInRedis(context, redis);
			assertThat(context).hasSingleBean(RedisConnectionFactory.class)
				.hasBean("ownFactory")
				.hasBean("redisTemplate")
				.hasBean("stringRedisTemplate");
		});
	}

	@Test
	void ownFactoryWinsOverProperties(TestRedis redis) {
		this.runner.withUserConfiguration(OwnFactory.class)
			.withPropertyValues("spring.data.redis.port=1")
			.run((context) -> assertCountsInRedis(context, redis));
	}

	@Test
	void storeStaysMemoryWhereItIsSaidToBe() {
		this.runner.withUserConfiguration(WithRedis.Config.class)
			.withPropertyValues("ratelimit.store=memory")
			.run((context) -> {
				assertThat(context.getBean(LimitStore.class)).isInstanceOf(MemoryLimitStore.class);
				assertThat(context).doesNotHaveBean(RedisConnector.class)
					.hasSingleBean(RedisConnectionFactory.class)
					.hasBean("stringRedisTemplate");
			});
	}

	@Test
	void usersStoreWins() {
		this.runner.withUserConfiguration(WithRedis.Config.class, RateLimitAutoConfigurationTests.OwnStore.class)
			.run((context) -> assertThat(context).hasSingleBean(LimitStore.class)
				.doesNotHaveBean(RedisConnector.class)
				.hasSingleBean(StoreMetrics.class)
				.hasSingleBean(MemoryStoreMetrics.class));
	}

	@Test
	void metersAreThoseOfTheStoreInUse() {
		this.runner.withUserConfiguration(WithRedis.Config.class)
			.run((context) -> assertThat(context).hasSingleBean(StoreMetrics.class)
				.hasSingleBean(MemoryStoreMetrics.class));
		this.runner.run((context) -> assertThat(context).hasSingleBean(MemoryStoreMetrics.class)
			.doesNotHaveBean(StoreMetrics.class));
	}

	@Test
	void keysStartWithThePrefix(TestRedis redis) {
		this.runner.withUserConfiguration(WithRedis.Config.class)
			.withPropertyValues("ratelimit.redis.key-prefix=shop")
			.run((context) -> context.getBean(RateLimiter.class).acquire("all", "user:a").block());
		assertThat(redis.command("KEYS", "shop:{user:a}:all.*")).contains("shop:{user:a}:all.");
	}

	@Test
	void startContinuesWhileRedisIsUnavailable() {
		this.runner.withPropertyValues("spring.data.redis.port=1").run((context) -> {
			Decision decision = context.getBean(RateLimiter.class).acquire("all", "user:a").block();
			assertThat(decision).isNotNull();
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.source()).isEqualTo(Source.FALLBACK);
		});
	}

	private static void assertCountsInRedis(AssertableApplicationContext context, TestRedis redis) {
		assertThat(context.getBean(LimitStore.class).name()).isEqualTo("redis");
		// Without 'ratelimit.store=redis', the start continues if Redis is late.
		Awaitility.await()
			.until(() -> context.getBean(RateLimiter.class).acquireBlocking("all", "user:a").source() == Source.REMOTE);
		assertThat(redis.command("KEYS", "rl:orders:{user:a}:all.*")).contains("rl:orders:{user:a}:all.");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnFactory {

		@Bean
		LettuceConnectionFactory ownFactory() {
			return new LettuceConnectionFactory(TestRedis.shared().host(), TestRedis.shared().port());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondFactory {

		@Bean
		LettuceConnectionFactory secondFactory() {
			return new LettuceConnectionFactory("localhost", 1);
		}

	}

}
