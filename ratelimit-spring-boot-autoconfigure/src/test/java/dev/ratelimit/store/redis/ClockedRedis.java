package dev.ratelimit.store.redis;

import java.util.function.LongSupplier;

import dev.ratelimit.test.redis.TestRedis;

/**
 * A store in Redis that uses the clock of a test, for tests in other packages.
 */
public final class ClockedRedis implements AutoCloseable {

	private final RedisFixture fixture;

	public ClockedRedis() {
		this(TestRedis.shared());
	}

	public ClockedRedis(TestRedis redis) {
		this.fixture = RedisFixture.connected(redis);
	}

	public RedisLimitStore store(LongSupplier millis) {
		return this.fixture.store(millis);
	}

	@Override
	public void close() {
		this.fixture.close();
	}

}
