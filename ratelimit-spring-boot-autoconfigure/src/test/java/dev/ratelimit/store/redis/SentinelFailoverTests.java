package dev.ratelimit.store.redis;

import java.time.Duration;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a Sentinel group that loses its master, without or with a loss of recent data.
 */
@Tag("topology")
@Tag("redis")
@Tag("long")
class SentinelFailoverTests {

	private static final int LIMIT = 1_000_000;

	private final BucketFamily family = Demands.family("family",
			new Limit(Algorithms.DEFAULT, LIMIT, Duration.ofDays(365), LIMIT));

	private TestSentinel group;

	private RedisFixture fixture;

	private RedisLimitStore store;

	@BeforeEach
	void start() {
		this.group = TestSentinel.start();
		this.fixture = new RedisFixture(this.group).connected();
		this.store = this.fixture.store();
	}

	@AfterEach
	void stop() {
		this.fixture.close();
		this.group.close();
	}

	@Test
	void replicatedChargesSurviveFailoverAndTheLimitIsExact() {
		TestRedis master = this.group.master();
		assertThat(this.store.acquire(charge(LIMIT - 1000)).join().allowed()).isTrue();
		this.group.awaitReplicated();
		master.kill();
		this.group.awaitPromotion(master);
		awaitAnswers();
		assertThat(remaining()).isEqualTo(1000);
		try (ChargingLoad load = ChargingLoad.start(this.store, () -> charge(1))) {
			Awaitility.await().until(() -> load.denied() > 0);
			load.stop();
			assertThat(load.failures()).isEmpty();
			assertThat(load.allowed()).isEqualTo(1000);
		}
	}

	@Test
	void aFailoverUnderLoadLosesNoMoreThanWasUnderWayToTheReplicas() throws Exception {
		TestRedis master = this.group.master();
		try (ChargingLoad load = ChargingLoad.start(this.store, () -> charge(1))) {
			load.awaitMore();
			int replicated = load.allowed();
			this.group.awaitReplicated();
			load.awaitMore();
			master.kill();
			this.group.awaitPromotion(master);
			load.awaitMore();
			load.stop();
			assertThat(load.failures()).isNotEmpty().extracting(StoreException::kind).containsOnly(Kind.CONNECTION);
			assertThat(load.allowed()).isLessThan(LIMIT);
			long used = LIMIT - remaining();
			assertThat(used).isBetween((long) replicated, (long) load.allowed() + ChargingLoad.THREADS);
		}
	}

	private void awaitAnswers() {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.store.acquire(charge(0)).handle((answer, failure) -> failure == null).join());
	}

	private AcquireRequest charge(long cost) {
		return Demands.of(Demands.charge(this.family, "ann", cost));
	}

	private long remaining() {
		return this.store.acquire(charge(0)).join().verdicts().get(0).remaining();
	}

}
