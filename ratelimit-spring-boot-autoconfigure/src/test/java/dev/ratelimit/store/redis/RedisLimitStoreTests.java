package dev.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Source;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStoreContract;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class RedisLimitStoreTests implements LimitStoreContract {

	private static final long TODAY = 60_000_000_000L;

	private static RedisFixture fixture;

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final RedisLimitStore store = fixture.store(this.clock::get);

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	@Override
	public RedisLimitStore store() {
		return this.store;
	}

	@Override
	public void at(long millis) {
		this.clock.set(TODAY + millis);
	}

	@Override
	public long remembered() {
		return TestRedis.shared().keys("*").size();
	}

	@Test
	void saysThatItIsRemote() {
		assertThat(ask(Demands.charge(Demands.perMinute("remote", 1), "ann", 1)).source()).isEqualTo(Source.REMOTE);
		assertThat(this.store.name()).isEqualTo("redis");
	}

}
