package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitChanges;
import dev.ratelimit.test.redis.TestRedis;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
@Tag("nightly")
@Tag("redis")
class RedisLimitChangePropertyTests {

	private static RedisFixture fixture;

	@BeforeContainer
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterContainer
	static void disconnect() {
		fixture.close();
	}

	@Provide
	Arbitrary<String> algorithms() {
		return Arbitraries.of("token-bucket", "gcra", "leaky-bucket", "fixed-window", "sliding-window", "sliding-log");
	}

	@Property(tries = 200)
	void changesGrantNoMoreThanTheLargestLimitAndOneOldCapacity(@ForAll("algorithms") String algorithm,
			@ForAll long seed) {
		TestRedis.shared().command("flushall");
		RedisLimitStore store = fixture.store(() -> 60_000_000_000L);
		assertThat(new LimitChanges(store, seed).excess(algorithm)).isNotPositive();
		assertThat(new LimitChanges(new JoiningLimitStore(store), seed + 1).excess(algorithm)).isNotPositive();
	}

}
