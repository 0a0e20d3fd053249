package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.store.lease.LeasedLimitStore;
import dev.ratelimit.store.lease.SimulatedLeases;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a real Redis that hangs while leased units are unspent.
 */
@Tag("redis")
class LeasedOutageTests {

	private static final int LIMIT = 1000;

	private final TestRedis redis = TestRedis.start();

	private final RedisFixture fixture = RedisFixture.connected(this.redis);

	private final RedisLimitStore store = this.fixture.store();

	private final GuardedLimitStore guarded = Guards.of(this.store, this.store, Duration.ofMillis(200), (event) -> {
	});

	// Idle units are returned soon and a lease ends soon, so time passes only in steps.
	private final AtomicLong nanos = new AtomicLong(System.nanoTime());

	private final LeasedLimitStore leased = new LeasedLimitStore(this.guarded, SimulatedLeases.SETTINGS,
			this.nanos::get, Guards.NO_UPKEEP);

	private final BucketFamily family = Demands.family("leased",
			new Limit(Algorithms.DEFAULT, LIMIT, Duration.ofDays(365), LIMIT));

	private final Charge charge = new Charge(new Bucket(this.family, "ann"), 1, FailurePolicy.CLOSED, Stance.ENFORCED,
			false)
		.with(Consistency.LEASED);

	@BeforeEach
	void start() {
		this.guarded.start(Duration.ofSeconds(5));
		Awaitility.await().until(() -> this.guarded.status().health() == StoreHealth.UP);
	}

	@AfterEach
	void close() {
		this.leased.close();
		this.guarded.close();
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void leasedUnitsAreSpentOnceDuringOutage() {
		int allowed = 0;
		for (int i = 0; i < 200; i++) {
			allowed += (this.leased.acquire(Demands.of(this.charge)).join().allowed()) ? 1 : 0;
			this.nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
		}
		Awaitility.await().until(() -> this.leased.status().held() > 0);
		this.redis.pause();
		long held = this.leased.status().held();
		long spent = 0;
		AcquireResult answer = tryAcquire();
		while (answer.allowed()) {
			assertThat(answer.source()).isEqualTo(Source.LOCAL);
			spent++;
			answer = tryAcquire();
		}
		// The reply to a refill may be read after the pause began.
		assertThat(spent).isGreaterThanOrEqualTo(held);
		assertThat(answer.verdicts().get(0).outcome()).isEqualTo(Outcome.FAILED_CLOSED);
		this.redis.resume();
		Awaitility.await().until(() -> this.guarded.acquire(Demands.of(peek())).join().source() == Source.REMOTE);
		long total = allowed + spent + useUp();
		assertThat(total).isBetween(LIMIT - 2L, (long) LIMIT);
	}

	// Charge until the limit rejects permanently, because other holders may still return
	// units.
	private long useUp() {
		long[] allowed = new long[1];
		Awaitility.await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1)).until(() -> {
			AcquireResult answer = tryAcquire();
			allowed[0] += (answer.allowed()) ? 1 : 0;
			return answer.verdicts().get(0).outcome() == Outcome.REJECTED && this.leased.status().held() == 0;
		});
		return allowed[0];
	}

	private Charge peek() {
		return Demands.charge(this.family, "ann", 0);
	}

	private AcquireResult tryAcquire() {
		return this.leased.acquire(Demands.within(Duration.ofMillis(100), this.charge)).join();
	}

}
