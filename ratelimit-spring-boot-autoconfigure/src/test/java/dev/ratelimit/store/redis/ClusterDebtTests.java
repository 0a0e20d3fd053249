package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.slot.SlottedLimitStore;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests requests whose buckets are on several nodes of a cluster, one of which does not
 * respond.
 */
@Tag("topology")
@Tag("redis")
@Tag("long")
class ClusterDebtTests {

	/** One limit of each kind, without a refill during a test. */
	private final List<BucketFamily> families = Stream.of(Algorithms.DEFAULT, "fixed-window", "sliding-log")
		.map((algorithm) -> Demands.family("debt", new Limit(algorithm, 10, Duration.ofDays(30), 10)))
		.toList();

	@Test
	void debtOfStalledNodeIsChargedOnceItResponds() {
		try (TestCluster cluster = TestCluster.start();
				RedisFixture fixture = RedisFixture.connected(cluster);
				GuardedLimitStore guard = guard(fixture.store())) {
			LimitStore store = new SlottedLimitStore(guard, fixture.store().slots().orElseThrow(), Time.SYSTEM);
			LimitStore remote = fixture.spanning(HashTag.SUBJECT);
			List<String> subjects = cluster.apart("user:");
			Awaitility.await().untilAsserted(() -> assertThat(used(remote, subjects)).containsOnly(0L));
			TestRedis stalled = cluster.nodeOf(subjects.get(1));
			stalled.pause();
			for (int i = 0; i < 4; i++) {
				AcquireResult result = store.acquire(Demands.within(Duration.ofMillis(50), charges(subjects, 1)))
					.join();
				assertThat(result.allowed()).isTrue();
			}
			stalled.resume();
			Awaitility.await()
				.during(Duration.ofMillis(500))
				.atMost(Duration.ofSeconds(6))
				.untilAsserted(() -> assertThat(used(remote, subjects)).containsOnly(4L));
		}
	}

	private static GuardedLimitStore guard(RedisLimitStore store) {
		GuardedLimitStore guard = Guards.of(store, store, Duration.ofMillis(200), (event) -> {
		});
		assertThat(guard.start(Duration.ofSeconds(5))).isEmpty();
		return guard;
	}

	private Charge[] charges(List<String> subjects, long cost) {
		return subjects.stream()
			.limit(3)
			.flatMap((subject) -> this.families.stream().map((family) -> Demands.charge(family, subject, cost)))
			.toArray(Charge[]::new);
	}

	private List<Long> used(LimitStore remote, List<String> subjects) {
		AcquireResult result = remote.acquire(Demands.of(charges(subjects, 0))).join();
		return result.verdicts().stream().map((verdict) -> 10 - verdict.remaining()).toList();
	}

}
