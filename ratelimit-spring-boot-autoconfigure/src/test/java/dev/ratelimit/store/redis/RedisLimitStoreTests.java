package dev.ratelimit.store.redis;

import dev.ratelimit.Source;
import dev.ratelimit.store.Demands;
import dev.ratelimit.test.redis.RedisTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class RedisLimitStoreTests extends AbstractRedisStoreTests {

	private final RedisLimitStore store = clockedStore();

	@Override
	public RedisLimitStore store() {
		return this.store;
	}

	@Test
	void saysThatItIsRemote() {
		assertThat(tryAcquire(Demands.charge(Demands.perMinute("remote", 1), "ann", 1)).source())
			.isEqualTo(Source.REMOTE);
		assertThat(this.store.name()).isEqualTo("redis");
	}

}
