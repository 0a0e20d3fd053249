package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.hold.HeldLimitStore;
import dev.ratelimit.test.Limits;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests instances that hold slots in one Redis, with its clock.
 */
@RedisTest
class HeldSlotsTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private final BucketFamily slots = Demands.concurrent("slots", Limits.concurrent(5, LEASE));

	private final Upkeep upkeep = new Upkeep();

	private final Upkeep upkeepOfDead = new Upkeep();

	@Test
	void theSlotsOfAnInstanceThatDiesAreFreeAfterTheLeaseAndThoseOfOthersStay() {
		try (RedisFixture fixture = RedisFixture.connected(TestRedis.shared())) {
			HeldLimitStore living = held(fixture, this.upkeep);
			HeldLimitStore dying = held(fixture, this.upkeepOfDead);
			for (int i = 0; i < 3; i++) {
				assertThat(take(dying).allowed()).isTrue();
			}
			List<Settlement> one = take(living).refunds();
			assertThat(take(living).allowed()).isTrue();
			assertThat(take(living).allowed()).isFalse();
			// The instance sends no more calls, as after a kill.
			this.upkeepOfDead.close();
			long killedNanos = System.nanoTime();
			AtomicLong rejectedNanos = new AtomicLong(killedNanos);
			await().pollInterval(Duration.ofMillis(20)).until(() -> {
				long beginNanos = System.nanoTime();
				boolean allowed = take(living).allowed();
				rejectedNanos.set((allowed) ? rejectedNanos.get() : beginNanos);
				return allowed;
			});
			// The bound excludes any delay of this instance.
			assertThat(Duration.ofNanos(rejectedNanos.get() - killedNanos)).isLessThan(LEASE.plusSeconds(1));
			// Two slots were taken before, and one is from the dead instance. A renewal
			// counts a pending charge, and a later renewal corrects the count if the
			// charge was rejected.
			await().until(() -> left(living) == 2);
			living.settle(one).join();
			assertThat(left(living)).isEqualTo(3);
			long before = living.status().reclaimed();
			TestRedis.shared().command("FLUSHALL");
			await().atMost(Duration.ofSeconds(10)).until(() -> left(living) == 3);
			await().until(() -> living.status().reclaimed() == before + 1);
		}
		finally {
			this.upkeep.close();
		}
	}

	private HeldLimitStore held(RedisFixture fixture, Upkeep rounds) {
		return new HeldLimitStore(fixture.store(), (rule) -> Long.MAX_VALUE / 2, Time.SYSTEM, rounds);
	}

	private AcquireResult take(LimitStore store) {
		return store.acquire(Demands.of(Demands.charge(this.slots, "ann", 1))).join();
	}

	private long left(LimitStore store) {
		return store.acquire(Demands.of(Demands.charge(this.slots, "ann", 0))).join().verdicts().get(0).remaining();
	}

}
