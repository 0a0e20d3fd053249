package dev.ratelimit.autoconfigure;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.ratelimit.DecisionListener;
import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class WarmUpTests {

	private final WebApplicationContextRunner runner = EnableAuto.servlet()
		.withUserConfiguration(Witness.class)
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "ratelimit.warm-up=1m");

	@Test
	void endsBeforeTheApplicationIsReady(TestRedis redis) {
		this.runner.withPropertyValues(at(redis)).run((context) -> {
			assertThat(context.getBean(RedisStore.class).warmUp().stream())
				.allMatch((warmUp) -> warmUp.ended().isDone());
			assertThat(redis.command("KEYS", "*198.18.*")).isEmpty();
		});
	}

	@Test
	void leavesNoTrace(TestRedis redis) {
		this.runner.withPropertyValues(at(redis)).run((context) -> {
			RedisStore store = context.getBean(RedisStore.class);
			Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> store.status().health() == StoreHealth.UP);
			Map<Kind, Long> errors = errors(store.status());
			int told = context.getBean(Witness.class).told.get();
			redis.command("CONFIG", "RESETSTAT");
			store.startWarmUp();
			store.warmUp().orElseThrow().ended().get(2, TimeUnit.MINUTES);
			assertThat(redis.command("INFO", "commandstats")).contains("cmdstat_evalsha", "cmdstat_del");
			assertThat(redis.command("KEYS", "*198.18.*")).isEmpty();
			assertThat(store.status().circuit()).isEqualTo(CircuitBreaker.State.CLOSED);
			assertThat(errors(store.status())).isEqualTo(errors);
			assertThat(context.getBean(MeterRegistry.class).find("ratelimit.decisions").functionCounters()).isNotEmpty()
				.allMatch((counter) -> counter.count() == 0);
			assertThat(context.getBean(Witness.class).told).hasValue(told);
		});
	}

	private static Map<Kind, Long> errors(StoreStatus status) {
		return Arrays.stream(Kind.values()).collect(Collectors.toMap(Function.identity(), status::errors));
	}

	@Test
	void comesBeforeTheWebServer(TestRedis redis) {
		this.runner.withPropertyValues(at(redis))
			.run((context) -> assertThat(context.getBean(WarmUpLifecycle.class).getPhase())
				.isLessThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE));
	}

	@Test
	void doesNotTakePlaceWithZero(TestRedis redis) {
		this.runner.withPropertyValues(at(redis))
			.withPropertyValues("ratelimit.warm-up=0")
			.run((context) -> assertThat(context.getBean(RedisStore.class).warmUp()).isEmpty());
	}

	@Test
	void doesNotTakePlaceWhereRedisDoesNotAnswer() {
		this.runner.withPropertyValues("spring.data.redis.host=localhost", "spring.data.redis.port=1")
			.run((context) -> assertThat(context.getBean(RedisStore.class).warmUp()).isEmpty());
	}

	@Test
	void doesNotTakePlaceInMemory() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(WarmUpLifecycle.class));
	}

	private static String[] at(TestRedis redis) {
		return new String[] { "spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port() };
	}

	@Configuration(proxyBeanMethods = false)
	static class Witness {

		final AtomicInteger told = new AtomicInteger();

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		DecisionListener listener() {
			return (decision, tookNanos) -> this.told.incrementAndGet();
		}

		@EventListener
		void flipped(StoreStateEvent event) {
			this.told.incrementAndGet();
		}

	}

}
