package dev.ratelimit.store.redis;

import java.time.Duration;

import dev.ratelimit.Source;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a Sentinel group whose master hangs while its connections stay open.
 */
@Tag("topology")
@Tag("redis")
@Tag("long")
class GuardedSentinelTests {

	private final BucketFamily family = Demands.perMinute("guarded", 100);

	@Test
	void theProbeFindsTheNewMasterWhileTheOldOneStandsStill() {
		try (TestSentinel group = TestSentinel.start(); RedisFixture fixture = new RedisFixture(group).connected()) {
			RedisLimitStore store = fixture.store();
			TestRedis master = group.master();
			try (GuardedLimitStore guarded = Guards.of(store, store, Duration.ofMillis(200), (event) -> {
			})) {
				assertThat(guarded.start(Duration.ofSeconds(5))).isEmpty();
				assertThat(source(guarded)).isEqualTo(Source.REMOTE);
				master.pause();
				group.awaitPromotion(master);
				Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> source(guarded) == Source.REMOTE);
			}
			finally {
				master.resume();
			}
		}
	}

	private Source source(GuardedLimitStore guarded) {
		return guarded.acquire(Demands.within(Duration.ofMillis(50), Demands.charge(this.family, "ann", 1)))
			.join()
			.source();
	}

}
