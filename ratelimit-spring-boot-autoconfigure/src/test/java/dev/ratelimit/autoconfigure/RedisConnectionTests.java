package dev.ratelimit.autoconfigure;

import java.nio.file.Path;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.test.redis.RedisRights;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import dev.ratelimit.test.redis.TestTlsRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ways to Redis that Boot's properties describe.
 */
@RedisTest
class RedisConnectionTests {

	private static final String[] USER = { "spring.data.redis.username=" + RedisRights.ON_SERVER.user(),
			"spring.data.redis.password=" + RedisRights.PASSWORD };

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "ratelimit.deadline=5s", "ratelimit.store=redis",
				"spring.application.name=orders");

	@Test
	void anSslBundleSecuresTheConnection(@TempDir Path directory) {
		try (TestTlsRedis redis = TestTlsRedis.start(directory)) {
			at(redis.host(), redis.port()).withPropertyValues(USER)
				.withPropertyValues("spring.data.redis.ssl.bundle=redis",
						"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + redis.certificate())
				.run((context) -> assertCountsIn(redis.plain(), context));
		}
	}

	@Test
	void aCertificateThatIsNotTrustedIsRefused(@TempDir Path directory) {
		try (TestTlsRedis redis = TestTlsRedis.start(directory)) {
			FailureAnalysis analysis = StartFailure.of(at(redis.host(), redis.port()).withPropertyValues(USER)
				.withPropertyValues("spring.data.redis.ssl.enabled=true"));
			assertThat(analysis.getDescription()).contains("Redis cannot be used", "certification path");
		}
	}

	@Test
	void aUserWithTheLeastRightsIsEnough(TestRedis redis) {
		at(redis.host(), redis.port()).withPropertyValues(USER).run((context) -> {
			assertCountsIn(redis, context);
			assertThat(redis.command("CLIENT", "LIST")).contains("user=" + RedisRights.ON_SERVER.user());
		});
	}

	@Test
	void aSentinelGroupIsAskedForItsMasterByAUserWithTheLeastRights() {
		try (TestSentinel group = TestSentinel.start()) {
			TestRedis master = group.master();
			for (TestRedis sentinel : group.sentinels()) {
				sentinel.command("ACL", "SETUSER", "asker", "on", ">hidden", "+sentinel|get-master-addr-by-name");
				sentinel.command("ACL", "SETUSER", "default", "off");
			}
			this.runner.withPropertyValues(USER)
				.withPropertyValues("spring.data.redis.sentinel.master=" + TestSentinel.NAME,
						"spring.data.redis.sentinel.nodes=" + group.addresses(),
						"spring.data.redis.sentinel.username=asker", "spring.data.redis.sentinel.password=hidden")
				.run((context) -> assertCountsIn(master, context));
		}
	}

	private ApplicationContextRunner at(String host, int port) {
		return this.runner.withPropertyValues("spring.data.redis.host=" + host, "spring.data.redis.port=" + port);
	}

	private static void assertCountsIn(TestRedis redis, AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		Decision decision = context.getBean(RateLimiter.class).acquire("all", "user:a").block();
		assertThat(decision).isNotNull();
		assertThat(decision.source()).isEqualTo(Source.REMOTE);
		assertThat(redis.command("KEYS", "rl:orders:{user:a}:all.*")).contains("rl:orders:{user:a}:all.");
	}

}
