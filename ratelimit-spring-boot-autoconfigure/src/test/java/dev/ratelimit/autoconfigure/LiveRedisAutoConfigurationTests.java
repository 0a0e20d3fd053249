package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RuleMode;
import dev.ratelimit.live.InstanceBoard;
import dev.ratelimit.live.LiveRules;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.SwitchStore;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.live.redis.RedisInstanceBoard;
import dev.ratelimit.live.redis.RedisRuleSource;
import dev.ratelimit.live.redis.RedisSwitchStore;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class LiveRedisAutoConfigurationTests {

	private static final String SOURCE = "ratelimit.live.source=redis";

	private static final String NAME = "spring.application.name=orders";

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "ratelimit.deadline=5s");

	private ApplicationContextRunner on(TestRedis redis) {
		return this.runner.withPropertyValues("ratelimit.store=redis", "ratelimit.redis.host=" + redis.host(),
				"ratelimit.redis.port=" + redis.port());
	}

	@Test
	void rulesAndSwitchesAndInstancesAreInRedis(TestRedis redis) {
		on(redis).withPropertyValues(SOURCE, NAME).run((context) -> {
			RedisRuleSource source = context.getBean(RedisRuleSource.class);
			assertThat(context).hasSingleBean(RuleSource.class)
				.hasSingleBean(RedisSwitchStore.class)
				.hasSingleBean(RedisInstanceBoard.class);
			assertThat(source
				.write(new RuleEdit(0, Map.of("api", Map.of("limit", "7/min")), Map.of(), "alice", "", List.of())))
				.isInstanceOf(WriteResult.Written.class);
			Awaitility.await().until(() -> context.getBean(LiveRules.class).status().version() == 1);
			assertThat(redis.command("HGET", "rl:orders:{live}:head", "version")).isEqualTo("1");
			Awaitility.await()
				.until(() -> context.getBean(InstanceBoard.class)
					.instances()
					.stream()
					.anyMatch((seen) -> seen.state().version() == 1));
		});
	}

	@Test
	void withoutASourceAndTheEndpointNothingIsThere(TestRedis redis) {
		on(redis).withPropertyValues(NAME)
			.run((context) -> assertThat(context).doesNotHaveBean(RuleSource.class)
				.doesNotHaveBean(SwitchStore.class)
				.doesNotHaveBean(InstanceBoard.class));
		assertThat(redis.keys("*live*")).isEmpty();
	}

	@Test
	void switchesNeedTheEndpointAloneAndNoName(TestRedis redis) {
		on(redis)
			.withPropertyValues("management.endpoints.web.exposure.include=ratelimitlive",
					"management.endpoints.jmx.exposure.include=*")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RuleSource.class).hasSingleBean(InstanceBoard.class);
				context.getBean(SwitchStore.class)
					.set(Optional.empty(), RuleMode.SHADOW, Duration.ofMinutes(1), "alice", "");
				assertThat(redis.keys("*live*")).contains("rl:application:{live}:switches");
			});
	}

	@Test
	void anApplicationWithoutANameFailsToStart(TestRedis redis) {
		FailureAnalysis analysis = StartFailure.of(on(redis).withPropertyValues(SOURCE));
		assertThat(analysis.getDescription())
			.isEqualTo("'ratelimit.live.source' is 'redis', but the application has no name: all applications without"
					+ " one would share their rules.");
		assertThat(analysis.getAction()).contains("'spring.application.name'", "'ratelimit.redis.key-prefix'");
		on(redis).withPropertyValues(SOURCE, "ratelimit.redis.key-prefix=rl:own")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aStoreInMemoryFailsToStart() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withPropertyValues(SOURCE, NAME));
		assertThat(analysis.getDescription())
			.isEqualTo("'ratelimit.live.source' is 'redis', but the store is not Redis.");
		assertThat(analysis.getAction()).contains("'ratelimit.redis.host'");
	}

}
