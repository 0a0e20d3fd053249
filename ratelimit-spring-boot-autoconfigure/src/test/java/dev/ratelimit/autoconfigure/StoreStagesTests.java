package dev.ratelimit.autoconfigure;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.denial.DenialRememberingLimitStore;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.hold.HeldLimitStore;
import dev.ratelimit.store.lease.LeasedLimitStore;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.redis.RedisLimitStore;
import dev.ratelimit.store.route.RoutedLimitStore;
import dev.ratelimit.store.slot.SlottedLimitStore;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the stages before each store, and their order.
 */
@RedisClusterTest
class StoreStagesTests {

	private static ApplicationContextRunner application() {
		return EnableAuto.plain().withPropertyValues(EnableAuto.RULE, EnableAuto.PATHS, "ratelimit.warm-up=0");
	}

	@Test
	void beforeAClusterStandAllStages(TestCluster cluster) {
		application().withPropertyValues("spring.data.redis.cluster.nodes=" + cluster.addresses())
			.run((context) -> assertThat(chain(context.getBean(LimitStore.class))).containsExactly(
					DenialRememberingLimitStore.class, LeasedLimitStore.class, HeldLimitStore.class,
					RoutedLimitStore.class, SlottedLimitStore.class, GuardedLimitStore.class, RedisLimitStore.class));
	}

	@Test
	void oneServerHasNoSlots() {
		try (TestRedis redis = TestRedis.start()) {
			application()
				.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port())
				.run((context) -> assertThat(chain(context.getBean(LimitStore.class))).containsExactly(
						DenialRememberingLimitStore.class, LeasedLimitStore.class, HeldLimitStore.class,
						RoutedLimitStore.class, GuardedLimitStore.class, RedisLimitStore.class));
		}
	}

	@Test
	void beforeAStoreOfTheApplicationStandsAGuard() {
		ApplicationContextRunner own = application().withBean(LimitStore.class, Own::new);
		own.run((context) -> assertThat(chain(context.getBean(CustomStore.class).store())).containsExactly(
				DenialRememberingLimitStore.class, HeldLimitStore.class, RoutedLimitStore.class,
				GuardedLimitStore.class, StoreStage.Plain.class, Own.class));
		own.withPropertyValues("ratelimit.denial-memory=0")
			.run((context) -> assertThat(chain(context.getBean(CustomStore.class).store())).containsExactly(
					HeldLimitStore.class, RoutedLimitStore.class, GuardedLimitStore.class, StoreStage.Plain.class,
					Own.class));
	}

	@Test
	void beforeMemoryAreHeldSlots() {
		application().run((context) -> assertThat(chain(context.getBean(MemoryStore.class).first()))
			.containsExactly(HeldLimitStore.class, MemoryLimitStore.class));
	}

	// Follow the stages by the first field with a store.
	private static List<Class<?>> chain(LimitStore first) {
		List<Class<?>> chain = new ArrayList<>();
		Optional<LimitStore> stage = Optional.of(first);
		while (stage.isPresent()) {
			chain.add(stage.get().getClass());
			stage = next(stage.get());
		}
		return chain;
	}

	private static Optional<LimitStore> next(LimitStore stage) {
		Stream<Field> fields = Arrays.stream(stage.getClass().getDeclaredFields());
		return fields.filter((field) -> field.getType() == LimitStore.class || field.getType() == StoreStage.class)
			.findFirst()
			.map((field) -> {
				ReflectionUtils.makeAccessible(field);
				return (LimitStore) ReflectionUtils.getField(field, stage);
			});
	}

	private static final class Own implements LimitStore {

		private final MemoryLimitStore memory = new MemoryLimitStore(100, new StoreStages.MonotonicClock(Time.SYSTEM));

		@Override
		public String name() {
			return "own";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			return this.memory.acquire(demand);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.memory.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.memory.reset(buckets);
		}

	}

}
