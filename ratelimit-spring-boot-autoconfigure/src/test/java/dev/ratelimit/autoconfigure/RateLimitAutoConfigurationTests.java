package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.engine.DecisionObservers;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.IdempotencySettings;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.WaitQueues;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitAutoConfigurationTests {

	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS);

	@Test
	void limiterCountsInMemoryWhereNothingElseIsReported() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(RateLimiter.class);
			assertThat(context.getBean(LimitStore.class)).isInstanceOf(MemoryLimitStore.class);
			assertThat(context.getBean(Editions.class).current().rules().rules()).containsOnlyKeys("all");
			Decision decision = context.getBean(RateLimiter.class).acquire("all", "user:a").block();
			assertThat(decision).isNotNull();
			assertThat(decision.verdicts().get(0).remaining()).isEqualTo(99);
		});
	}

	@Test
	void usersStoreWins() {
		this.runner.withUserConfiguration(OwnStore.class).run((context) -> {
			assertThat(context).hasSingleBean(LimitStore.class);
			assertThat(context.getBean(LimitStore.class).name()).isEqualTo("own");
		});
	}

	@Test
	void usersStoreWinsWhereStoreIsSaidToBeRedis() {
		this.runner.withUserConfiguration(OwnStore.class)
			.withPropertyValues("ratelimit.store=redis")
			.run((context) -> assertThat(context.getBean(LimitStore.class).name()).isEqualTo("own"));
	}

	@Test
	void usersEngineAndRegistryWin() {
		this.runner.withUserConfiguration(OwnEngine.class).run((context) -> {
			assertThat(context).hasSingleBean(RateLimitEngine.class).hasSingleBean(Editions.class);
			assertThat(context.getBean(RateLimitEngine.class).deadline()).isEqualTo(Duration.ofSeconds(9));
			assertThat(context.getBean(Editions.class)).isSameAs(OwnEngine.EDITIONS);
			assertThat(OwnEngine.EDITIONS.current().rules().rules()).containsOnlyKeys("all");
		});
	}

	@Test
	void beansOfApplicationsCanHaveGeneralNames() {
		this.runner.withBean("ruleLoader", StringBuilder.class, StringBuilder::new)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(RuleLoader.class));
	}

	@Test
	void listenersAreToldInOrder() {
		this.runner.withUserConfiguration(Listeners.class).run((context) -> {
			Listeners listeners = context.getBean(Listeners.class);
			context.getBean(RateLimiter.class).acquire("all", "user:a").block();
			Awaitility.await().untilAsserted(() -> assertThat(listeners.told).containsExactly("first", "second"));
		});
	}

	@Test
	void deadlineOfThePropertiesIsTheEngines() {
		this.runner.withPropertyValues("ratelimit.deadline=70ms")
			.run((context) -> assertThat(context.getBean(RateLimitEngine.class).deadline())
				.isEqualTo(Duration.ofMillis(70)));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnStore {

		@Bean
		LimitStore ownStore() {
			return new LimitStore() {

				@Override
				public String name() {
					return "own";
				}

				@Override
				public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
					return CompletableFuture.failedFuture(new UnsupportedOperationException());
				}

				@Override
				public CompletableFuture<Void> settle(List<Settlement> settlements) {
					return CompletableFuture.failedFuture(new UnsupportedOperationException());
				}

				@Override
				public CompletableFuture<Void> reset(List<Bucket> buckets) {
					return CompletableFuture.failedFuture(new UnsupportedOperationException());
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnEngine {

		static final Editions EDITIONS = new Editions();

		@Bean
		Editions ownEditions() {
			return EDITIONS;
		}

		@Bean
		RateLimitEngine ownEngine(LimitStore store) {
			return new RateLimitEngine(EDITIONS, store, StoreDeadlines.of(Duration.ofSeconds(9)), "secret",
					IdempotencySettings.DEFAULT, new DecisionObservers(List.of(), List.of()), Time.SYSTEM,
					WaitQueues.Factory.NONE);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		private final List<String> told = new CopyOnWriteArrayList<>();

		@Bean
		@Order(2)
		DecisionListener second() {
			return (decision, tookNanos) -> this.told.add("second");
		}

		@Bean
		@Order(1)
		DecisionListener first() {
			return (decision, tookNanos) -> this.told.add("first");
		}

	}

}
