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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the Redis connections that properties describe: the properties of the limiter,
 * and those of Spring Boot with and without Spring Data Redis.
 */
@RedisTest
@ParameterizedClass
@EnumSource
class RedisConnectionTests {

	private static TestTlsRedis tls;

	private static TestSentinel group;

	private static TestRedis master;

	private final Words words;

	RedisConnectionTests(Words words) {
		this.words = words;
	}

	@BeforeAll
	static void start(@TempDir Path directory) {
		tls = TestTlsRedis.start(directory);
		group = TestSentinel.startSteady();
		master = group.master();
		for (TestRedis sentinel : group.sentinels()) {
			sentinel.command("ACL", "SETUSER", "asker", "on", ">hidden", "+sentinel|get-master-addr-by-name");
			sentinel.command("ACL", "SETUSER", "default", "off");
		}
	}

	@AfterAll
	static void stop() {
		tls.close();
		group.close();
	}

	@BeforeEach
	void empty() {
		tls.plain().command("FLUSHALL");
		master.command("FLUSHALL");
	}

	@Test
	void anSslBundleSecuresTheConnection() {
		at(tls.host(), tls.port()).withPropertyValues(user())
			.withPropertyValues(this.words.of("ssl.bundle=redis"),
					"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + tls.certificate())
			.run((context) -> assertCountsIn(tls.plain(), context));
	}

	@Test
	void aCertificateThatIsNotTrustedIsRejected() {
		FailureAnalysis analysis = StartFailure.of(at(tls.host(), tls.port()).withPropertyValues(user())
			.withPropertyValues(this.words.of("ssl.enabled=true")));
		assertThat(analysis.getDescription()).contains("Redis is unavailable", "certification path");
	}

	@Test
	void aUserWithTheLeastRightsIsEnough(TestRedis redis) {
		at(redis.host(), redis.port()).withPropertyValues(user()).run((context) -> {
			assertCountsIn(redis, context);
			assertThat(redis.command("CLIENT", "LIST")).contains("user=" + RedisRights.ON_SERVER.user());
		});
	}

	@Test
	void aSentinelGroupIsAskedForItsMasterByAUserWithTheLeastRights() {
		runner().withPropertyValues(user())
			.withPropertyValues(this.words.of("sentinel.master=" + TestSentinel.NAME),
					this.words.of("sentinel.nodes=" + group.addresses()), this.words.of("sentinel.username=asker"),
					this.words.of("sentinel.password=hidden"))
			.run((context) -> assertCountsIn(master, context));
	}

	@Test
	void aUrlSaysEverything(TestRedis redis) {
		runner()
			.withPropertyValues(this.words.of("url=redis://%s:%s@%s:%d/0".formatted(RedisRights.ON_SERVER.user(),
					RedisRights.PASSWORD, redis.host(), redis.port())))
			.run((context) -> assertCountsIn(redis, context));
	}

	@Test
	void theConnectionIsNamed(TestRedis redis) {
		at(redis.host(), redis.port()).withPropertyValues(this.words.of("client-name=shop")).run((context) -> {
			assertCountsIn(redis, context);
			assertThat(redis.command("CLIENT", "LIST")).contains("name=shop-ratelimit");
		});
	}

	private ApplicationContextRunner runner() {
		return this.words.runner()
			.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "ratelimit.deadline=5s", "ratelimit.store=redis",
					"spring.application.name=orders");
	}

	private String[] user() {
		return new String[] { this.words.of("username=" + RedisRights.ON_SERVER.user()),
				this.words.of("password=" + RedisRights.PASSWORD) };
	}

	private ApplicationContextRunner at(String host, int port) {
		return runner().withPropertyValues(this.words.of("host=" + host), this.words.of("port=" + port));
	}

	private static void assertCountsIn(TestRedis redis, AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		Decision decision = context.getBean(RateLimiter.class).acquire("all", "user:a").block();
		assertThat(decision).isNotNull();
		assertThat(decision.source()).isEqualTo(Source.REMOTE);
		assertThat(redis.command("KEYS", "rl:orders:{user:a}:all.*")).contains("rl:orders:{user:a}:all.");
	}

	enum Words {

		OWN, SPRING_DATA, WITHOUT_SPRING_DATA;

		String of(String property) {
			return ((this == OWN) ? "ratelimit.redis." : "spring.data.redis.") + property;
		}

		ApplicationContextRunner runner() {
			return (this == SPRING_DATA) ? EnableAuto.plain() : AbsentLibrariesTests.withoutSpringDataRedis();
		}

	}

}
