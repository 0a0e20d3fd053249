package dev.ratelimit.store.redis;

import java.util.function.LongSupplier;

import dev.ratelimit.test.redis.TestRedis;

/**
 * A store in the shared Redis that goes by a test's clock, for tests in other packages.
 */
public final class ClockedRedis implements AutoCloseable {

	private final RedisFixture fixture = RedisFixture.connected(TestRedis.shared());

	public RedisLimitStore store(LongSupplier millis) {
		return this.fixture.store(millis);
	}

	@Override
	public void close() {
		this.fixture.close();
	}

}
