package dev.ratelimit.store.redis;

import java.time.InstantSource;

import dev.ratelimit.test.Guards;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class InstanceRegistryTests {

	private static final String PREFIX = "rl:fleet";

	private RedisFixture fixture;

	@BeforeEach
	void connect(TestRedis redis) {
		this.fixture = RedisFixture.connected(redis);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource(RedisClock.class)
	void countsThoseThatHaveJoinedAndNotLeft(RedisClock clock, TestRedis redis) {
		InstanceRegistry first = fleet(clock, 1);
		assertThat(first.getAsInt()).isEqualTo(1);
		first.join();
		// Otherwise, the second instance may count only itself for five seconds.
		Awaitility.await().until(() -> redis.command("ZCARD", PREFIX + ":{fleet}").equals("1"));
		InstanceRegistry second = fleet(clock, 1);
		second.join();
		Awaitility.await().until(() -> second.getAsInt() == 2);
		first.beat();
		Awaitility.await().until(() -> first.getAsInt() == 2);
		assertThat(Long.parseLong(redis.command("PTTL", PREFIX + ":{fleet}"))).isBetween(1L, 15_000L);
		first.close();
		second.beat();
		Awaitility.await().until(() -> second.getAsInt() == 1);
		second.close();
		// An instance that closes waits only briefly for the reply.
		Awaitility.await().until(() -> redis.command("EXISTS", PREFIX + ":{fleet}").equals("0"));
	}

	@Test
	void staleInstanceIsForgotten(TestRedis redis) {
		InstanceRegistry fleet = fleet(RedisClock.SERVER, 1);
		redis.command("ZADD", PREFIX + ":{fleet}", "1000", "gone");
		fleet.beat();
		Awaitility.await().until(() -> redis.command("ZCARD", PREFIX + ":{fleet}").equals("1"));
		assertThat(fleet.getAsInt()).isEqualTo(1);
		fleet.close();
	}

	@Test
	void anInstanceThatIsGoneIsForgottenAlsoIfTheClockWasSetBack(TestRedis redis) {
		InstanceRegistry fleet = fleet(RedisClock.SERVER, 1);
		fleet.beat();
		Awaitility.await().until(() -> redis.command("ZCARD", PREFIX + ":{fleet}").equals("1"));
		long now = Long.parseLong(redis.command("EVAL", "return redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]",
				"1", PREFIX + ":{fleet}"));
		redis.command("ZADD", PREFIX + ":{fleet}", Long.toString(now + 1_800_000), "gone");
		fleet.beat();
		Awaitility.await().until(() -> redis.command("ZCARD", PREFIX + ":{fleet}").equals("1"));
		fleet.close();
	}

	@Test
	void thereAreNeverFewerThanTheLeast() {
		InstanceRegistry fleet = fleet(RedisClock.SERVER, 5);
		assertThat(fleet.getAsInt()).isEqualTo(5);
		fleet.join();
		assertThat(fleet.getAsInt()).isEqualTo(5);
		fleet.close();
	}

	private InstanceRegistry fleet(RedisClock clock, int least) {
		return new InstanceRegistry(this.fixture.connector(), PREFIX, clock, InstantSource.system(), least,
				Guards.UPKEEP);
	}

}
