package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@RedisClusterTest
class RedisClusterAutoConfigurationTests {

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "ratelimit.deadline=5s",
				"spring.application.name=orders");

	@Test
	void countsInTheClusterThatPropertiesName(TestCluster cluster) {
		this.runner
			.withPropertyValues("ratelimit.store=redis", "spring.data.redis.cluster.nodes=" + cluster.addresses())
			.run((context) -> assertCountsIn(context, cluster));
	}

	@Test
	void oneNodeIsEnoughToFindTheOthers(TestCluster cluster) {
		this.runner
			.withPropertyValues("ratelimit.store=redis",
					"spring.data.redis.cluster.nodes=" + cluster.addresses().split(",")[1],
					"spring.data.redis.cluster.max-redirects=2")
			.run((context) -> assertCountsIn(context, cluster));
	}

	@Test
	void countsInTheClusterOfTheUsersOwnFactory(TestCluster cluster) {
		this.runner.withUserConfiguration(OwnFactory.class)
			.withPropertyValues("ratelimit.store=redis")
			.run((context) -> assertCountsIn(context, cluster));
	}

	@Test
	void theHashTagMayHoldTheRule(TestCluster cluster) {
		this.runner
			.withPropertyValues("spring.data.redis.cluster.nodes=" + cluster.addresses(),
					"ratelimit.redis.hash-tag=subject-and-rule")
			.run((context) -> {
				context.getBean(RateLimiter.class).acquire("all", "user:a").block();
				assertThat(cluster.nodeOf("user:a:all").command("KEYS", "rl:orders:{user:a:all}:all.*"))
					.startsWith("rl:orders:{user:a:all}:all.1min.");
			});
	}

	@Test
	void startGoesOnWhereTheClusterIsAway() {
		this.runner.withPropertyValues("spring.data.redis.cluster.nodes=localhost:1,localhost:2").run((context) -> {
			Decision decision = context.getBean(RateLimiter.class).acquire("all", "user:a").block();
			assertThat(decision).isNotNull();
			assertThat(decision.source()).isEqualTo(Source.FALLBACK);
		});
	}

	private static void assertCountsIn(AssertableApplicationContext context, TestCluster cluster) {
		assertThat(context.getBean(StoreStatus.class).health()).isEqualTo(StoreHealth.UP);
		for (String subject : cluster.apart("user:")) {
			Decision decision = context.getBean(RateLimiter.class).acquire("all", subject).block();
			assertThat(decision).isNotNull();
			assertThat(decision.source()).isEqualTo(Source.REMOTE);
			assertThat(cluster.nodeOf(subject).command("KEYS", "rl:orders:{" + subject + "}:all.*")).contains(subject);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnFactory {

		@Bean
		LettuceConnectionFactory ownFactory() {
			return new LettuceConnectionFactory(
					new RedisClusterConfiguration(List.of(TestCluster.shared().addresses().split(","))));
		}

	}

}
