package dev.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Source;
import dev.ratelimit.engine.CrowdedLimits;
import dev.ratelimit.engine.LeaseStorm;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Test;

/**
 * Tests many concurrent threads of one instance and of two instances.
 */
@RedisTest
class RedisCrowdTests {

	private final AtomicLong clock = new AtomicLong(60_000_000_000L);

	@Test
	void leasesAreCountedExactlyHoweverRequestsEnd() {
		try (RedisFixture fixture = RedisFixture.connected(TestRedis.shared())) {
			new LeaseStorm(fixture.store(this.clock::get), this.clock).blow(20_000);
		}
	}

	@Test
	void severalLimitsAllowExactlyWhatFitsInAllInstances() {
		try (RedisFixture first = RedisFixture.connected(TestRedis.shared());
				RedisFixture second = RedisFixture.connected(TestRedis.shared())) {
			new CrowdedLimits(first.store(this.clock::get), second.store(this.clock::get)).check(Source.REMOTE);
		}
	}

}
