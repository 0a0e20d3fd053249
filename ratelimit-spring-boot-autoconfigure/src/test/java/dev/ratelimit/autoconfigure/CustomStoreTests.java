package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.memory.MemoryLimitStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a faulty custom store: no request waits forever or gets an exception, and limits
 * are enforced.
 */
class CustomStoreTests {

	@Test
	void aStoreThatWorksIsCalled() {
		run(new Misbehaving(null), (context) -> {
			Decision decision = decide(context);
			assertThat(decision.source()).isEqualTo(Source.LOCAL);
			assertThat(decision.verdicts().get(0).remaining()).isEqualTo(9);
			assertThat(context.getBean(StoreStatus.class).store()).isEqualTo("own");
		}, "ratelimit.deadline=20s");
	}

	@Test
	void aStoreThatFailsIsAnsweredFor() {
		assertThatLimitHolds(() -> CompletableFuture.failedFuture(new IllegalStateException("on purpose")));
	}

	@Test
	void aStoreThatThrowsIsAnsweredFor() {
		assertThatLimitHolds(() -> {
			throw new IllegalStateException("on purpose");
		});
	}

	@Test
	void aStoreThatNeverAnswersIsAnsweredFor() {
		assertThatLimitHolds(CompletableFuture::new);
	}

	@Test
	void recoveredStoreIsCalledAgain() {
		Misbehaving store = new Misbehaving(CompletableFuture::new);
		run(store, (context) -> {
			Awaitility.await().until(() -> {
				decide(context);
				return context.getBean(StoreStatus.class).health() != StoreHealth.UP;
			});
			store.works.set(true);
			Awaitility.await().until(() -> context.getBean(StoreStatus.class).health() == StoreHealth.UP);
			Awaitility.await().until(() -> decide(context).source() == Source.LOCAL);
		});
	}

	@Test
	void correctionThatThrowsCompletesExceptionally() {
		Misbehaving store = new Misbehaving(() -> {
			throw new IllegalStateException("on purpose");
		});
		store.works.set(true);
		run(store, (context) -> {
			Decision decision = decide(context);
			store.works.set(false);
			assertThat(decision.reservation().cancel().toCompletableFuture()).isCompletedExceptionally();
		}, "ratelimit.deadline=20s");
	}

	@ParameterizedTest
	@ValueSource(strings = { "all", "here" })
	void bucketsThatAreEvictedFromMemoryAreCounted(String rule) {
		Misbehaving store = new Misbehaving(() -> CompletableFuture.failedFuture(new IllegalStateException("down")));
		run(store, (context) -> {
			for (int i = 0; i < 100; i++) {
				context.getBean(RateLimiter.class).acquireBlocking(rule, "user:" + i);
			}
			MeterRegistry meters = new SimpleMeterRegistry();
			context.getBeansOfType(MeterBinder.class).values().forEach((meter) -> meter.bindTo(meters));
			assertThat(meters.get("ratelimit.local.entries").gauge().value()).isPositive();
			Awaitility.await().until(() -> meters.get("ratelimit.local.evictions").functionCounter().count() > 0);
		}, "ratelimit.memory.max-buckets=10", "ratelimit.rules.here.limit=10/h",
				"ratelimit.rules.here.programmatic=true", "ratelimit.rules.here.store=local",
				"ratelimit.rules.here.key=user");
	}

	private void assertThatLimitHolds(Supplier<CompletableFuture<AcquireResult>> answer) {
		run(new Misbehaving(answer), (context) -> {
			int allowed = 0;
			for (int i = 0; i < 30; i++) {
				Decision decision = decide(context);
				assertThat(decision.source()).isEqualTo(Source.FALLBACK);
				allowed += (decision.allowed()) ? 1 : 0;
			}
			assertThat(allowed).isEqualTo(10);
		});
	}

	private static Decision decide(ApplicationContext context) {
		return Objects.requireNonNull(
				context.getBean(RateLimiter.class).acquire("all", "user:ann").block(Duration.ofSeconds(10)));
	}

	private static void run(LimitStore store, Consumer<ApplicationContext> test, String... properties) {
		EnableAuto.plain()
			.withPropertyValues("ratelimit.rules.all.limit=10/h", EnableAuto.PATHS)
			.withPropertyValues(properties)
			.withBean(LimitStore.class, () -> store)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				test.accept(context);
			});
	}

	private static final class Misbehaving implements LimitStore {

		private final MemoryLimitStore memory = new MemoryLimitStore(100, new StoreStages.MonotonicClock(Time.SYSTEM));

		private final Supplier<CompletableFuture<AcquireResult>> answer;

		private final AtomicBoolean works;

		Misbehaving(@Nullable Supplier<CompletableFuture<AcquireResult>> answer) {
			this.answer = (answer != null) ? answer : CompletableFuture::new;
			this.works = new AtomicBoolean(answer == null);
		}

		@Override
		public String name() {
			return "own";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			return (this.works.get()) ? this.memory.acquire(demand) : this.answer.get();
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return (this.works.get()) ? this.memory.settle(settlements)
					: this.answer.get().thenApply((ignored) -> null);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.memory.reset(buckets);
		}

	}

}
