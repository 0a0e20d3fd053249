package dev.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.StoreStageContract;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Base class for tests of the store contract, on one server and with a clock that the
 * test sets.
 */
abstract class AbstractRedisStoreTests implements StoreStageContract {

	private static final long TODAY = 60_000_000_000L;

	private static RedisFixture fixture;

	private final AtomicLong clock = new AtomicLong(TODAY);

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	RedisLimitStore clockedStore() {
		return fixture.store(this.clock::get);
	}

	RedisLimitStore joinedStore() {
		return fixture.joined(this.clock::get);
	}

	@Override
	public void at(long millis) {
		this.clock.set(TODAY + millis);
	}

	@Override
	public long remembered() {
		return TestRedis.shared().keys("rl:test:*").size();
	}

}
