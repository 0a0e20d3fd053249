package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.redis.SlotMove;
import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a cluster with replicas under load while masters fail, switch roles, or move
 * slots.
 */
@Tag("topology")
@Tag("redis")
@Tag("long")
class ClusterFailoverTests {

	private static final int LIMIT = 2000;

	private static final int AMPLE = 1_000_000;

	private final BucketFamily family = family("family", LIMIT);

	private final BucketFamily ample = family("ample", AMPLE);

	private final BucketFamily alsoAmple = family("also-ample", AMPLE);

	private TestFailoverCluster cluster;

	private RedisFixture fixture;

	private RedisLimitStore store;

	private List<String> subjects;

	private TestRedis master;

	private TestRedis replica;

	@BeforeEach
	void start() {
		this.cluster = TestFailoverCluster.start();
		this.fixture = new RedisFixture(this.cluster).connected();
		this.store = this.fixture.store();
		this.subjects = this.cluster.apart("user:");
		this.master = this.cluster.master(this.cluster.slot(this.subjects.get(0)));
		this.replica = this.cluster.replica(this.master);
	}

	@AfterEach
	void stop() {
		this.fixture.close();
		this.cluster.close();
	}

	@Test
	void replicatedChargesSurviveFailoverAndOtherNodesAreUnaffected() {
		assertThat(this.store.acquire(charge(0, LIMIT - 100)).join().allowed()).isTrue();
		this.cluster.awaitReplicated(this.master);
		try (ChargingLoad others = ChargingLoad.start(this.store, () -> ample(1))) {
			this.master.kill();
			assertThat(this.store.acquire(charge(0, 0))).failsWithin(Duration.ofSeconds(5))
				.withThrowableThat()
				.havingCause()
				.isInstanceOfSatisfying(StoreException.class,
						(failure) -> assertThat(failure.kind()).isEqualTo(Kind.CONNECTION));
			this.cluster.awaitPromotion(this.replica, this.master);
			awaitAnswers();
			others.stop();
			assertThat(others.failures()).isEmpty();
			assertThat(others.denied()).isZero();
		}
		assertThat(remaining(this.family)).isEqualTo(100);
		assertThatTheLimitIsExact(LIMIT - 100);
	}

	@Test
	void aMasterThatStandsStillIsLeftForItsReplica() {
		assertThat(this.store.acquire(charge(0, 100)).join().allowed()).isTrue();
		this.cluster.awaitReplicated(this.master);
		this.master.pause();
		this.cluster.awaitPromotion(this.replica, this.master);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(this::answersInTime);
		assertThat(remaining(this.family)).isEqualTo(LIMIT - 100);
		this.master.resume();
		this.cluster.awaitOk();
		assertThatTheLimitIsExact(100);
	}

	@Test
	void aReplicaThatTakesOverInGoodOrderCostsNoChargeAndAllowsNoneTooMany() {
		try (ChargingLoad load = ChargingLoad.start(this.store, () -> ample(0))) {
			this.cluster.failOver(this.master);
			load.awaitMore();
			load.stop();
			// No call is sent while neither node claims the slot.
			assertThat(load.failures())
				.allSatisfy((failure) -> assertThat(failure).hasMessageContaining("Cannot determine a partition"));
			assertThat(AMPLE - remaining(this.ample)).isEqualTo(load.allowed());
		}
		assertThatTheLimitIsExact(0);
	}

	@Test
	void aSlotThatMovesUnderLoadFailsNoDecisionOnOneKey() {
		SlotMove move = move();
		try (ChargingLoad load = ChargingLoad.start(this.store, () -> ample(0))) {
			move.open();
			load.awaitMore();
			assertThat(move.moveKeys(1)).isTrue();
			load.awaitMore();
			assertThat(move.moveKeys(1)).isFalse();
			move.close();
			load.awaitMore();
			load.stop();
			assertThat(load.failures()).isEmpty();
			assertThat(AMPLE - remaining(this.ample)).isEqualTo(load.allowed());
		}
		assertThatTheLimitIsExact(0);
	}

	@Test
	void aSlotThatMovesUnderLoadFailsDecisionsOnTwoKeysOnlyWhileTheyAreApart() {
		SlotMove move = move();
		try (ChargingLoad load = ChargingLoad.start(this.store, this::onBoth)) {
			move.open();
			load.awaitMore();
			assertThat(load.failures()).isEmpty();
			assertThat(move.moveKeys(1)).isTrue();
			load.awaitFailures();
			assertThat(move.moveKeys(1)).isTrue();
			load.awaitMore();
			move.close();
			load.awaitMore();
			load.stop();
			assertThat(load.failures()).allSatisfy((failure) -> {
				assertThat(failure.kind()).isEqualTo(Kind.MIGRATING);
				assertThat(failure.isUncharged()).isTrue();
				assertThat(failure).hasMessageStartingWith("TRYAGAIN");
			});
			assertThat(AMPLE - remaining(this.ample)).isEqualTo(load.allowed());
			assertThat(AMPLE - remaining(this.alsoAmple)).isEqualTo(load.allowed());
		}
	}

	private SlotMove move() {
		return this.cluster.move(this.cluster.slot(this.subjects.get(0)), otherMaster());
	}

	private TestRedis otherMaster() {
		return this.cluster.master(this.cluster.slot(this.subjects.get(1)));
	}

	private void assertThatTheLimitIsExact(int used) {
		try (ChargingLoad load = ChargingLoad.start(this.store, () -> charge(0, 1))) {
			Awaitility.await().until(() -> load.denied() > 0);
			load.stop();
			assertThat(load.failures()).isEmpty();
			assertThat(load.allowed()).isEqualTo(LIMIT - used);
		}
	}

	private void awaitAnswers() {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(20))
			.until(() -> this.store.acquire(charge(0, 0)).handle((answer, failure) -> failure == null).join());
	}

	private boolean answersInTime() {
		return this.store.acquire(charge(0, 0))
			.orTimeout(200, TimeUnit.MILLISECONDS)
			.handle((answer, failure) -> failure == null)
			.join();
	}

	private AcquireRequest charge(int subject, long cost) {
		return Demands.of(Demands.charge(this.family, this.subjects.get(subject), cost));
	}

	private AcquireRequest ample(int subject) {
		return Demands.of(Demands.charge(this.ample, this.subjects.get(subject), 1));
	}

	private AcquireRequest onBoth() {
		return Demands.of(Demands.charge(this.alsoAmple, this.subjects.get(0), 1),
				Demands.charge(this.ample, this.subjects.get(0), 1));
	}

	private long remaining(BucketFamily family) {
		return this.store.acquire(Demands.of(Demands.charge(family, this.subjects.get(0), 0)))
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

	private static BucketFamily family(String rule, int quantity) {
		return Demands.family(rule, new Limit(Algorithms.DEFAULT, quantity, Duration.ofDays(365), quantity));
	}

}
