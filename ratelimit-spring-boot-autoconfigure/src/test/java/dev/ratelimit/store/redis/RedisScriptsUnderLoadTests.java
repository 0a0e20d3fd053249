package dev.ratelimit.store.redis;

import java.time.Duration;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a server that loses its scripts, or all data, during concurrent calls.
 */
@Tag("redis")
class RedisScriptsUnderLoadTests {

	private static final int LIMIT = 1_000_000;

	private final BucketFamily family = Demands.family("family",
			new Limit(Algorithms.DEFAULT, LIMIT, Duration.ofDays(365), LIMIT));

	private final TestRedis redis = TestRedis.start();

	private final RedisFixture fixture = new RedisFixture(this.redis).connected();

	private final RedisLimitStore store = this.fixture.store();

	@AfterEach
	void close() {
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void scriptsThatAreForgottenCostNoDecision() {
		try (ChargingLoad load = load()) {
			for (int i = 0; i < 20; i++) {
				this.redis.command("SCRIPT", "FLUSH");
				load.awaitMore();
			}
			load.stop();
			assertThat(load.failures()).isEmpty();
			assertThat(LIMIT - remaining()).isEqualTo(load.allowed());
		}
	}

	@Test
	void aServerThatComesBackEmptyFailsNoDecisionOnceItIsConnected() {
		try (ChargingLoad load = load()) {
			this.redis.restart();
			load.awaitMore();
			long connected = System.nanoTime();
			load.awaitMore();
			load.stop();
			assertThat(load.failuresSince(connected)).isEmpty();
			assertThat(load.failures()).extracting(StoreException::kind).containsOnly(Kind.CONNECTION);
		}
	}

	private ChargingLoad load() {
		return ChargingLoad.start(this.store, () -> Demands.of(Demands.charge(this.family, "ann", 1)));
	}

	private long remaining() {
		return this.store.acquire(Demands.of(Demands.charge(this.family, "ann", 0)))
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

}
