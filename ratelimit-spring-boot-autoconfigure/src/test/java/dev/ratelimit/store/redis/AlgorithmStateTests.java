package dev.ratelimit.store.redis;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the state that each algorithm stores in Redis, with the clock of the server.
 */
@RedisTest
class AlgorithmStateTests {

	private static RedisFixture fixture;

	private final TestRedis redis = TestRedis.shared();

	private final RedisLimitStore store = fixture.store();

	static Set<String> algorithms() {
		return Algorithms.ids();
	}

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void everyWriteLeavesALifetimeOfNoMoreThanTheFillTimeAndTwoSeconds(String algorithm) {
		for (Duration period : List.of(Duration.ofHours(1), Duration.ofSeconds(20))) {
			BucketFamily family = family(algorithm, 20, period);
			for (int i = 0; i < 20; i++) {
				long startNanos = System.nanoTime();
				AcquireResult answer = tryAcquire(family, 2 + i % 3);
				if (i % 4 == 0 && answer.allowed()) {
					settle(family, answer, (i % 8 == 0) ? -1 : 1);
				}
				long lifetime = lifetime();
				boolean gone = lifetime == -2 && System.nanoTime() - startNanos > Duration.ofSeconds(1).toNanos();
				if (!gone) {
					assertThat(lifetime).isBetween(1L, family.calculator().fillMillis() + 2000);
				}
			}
			this.redis.command("FLUSHALL");
		}
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void theNextWriteHealsAKeyThatLostItsLifetime(String algorithm) {
		BucketFamily family = family(algorithm, 20, Duration.ofHours(1));
		AcquireResult answer = tryAcquire(family, 5);
		this.redis.command("PERSIST", key());
		assertThat(lifetime()).isEqualTo(-1);
		tryAcquire(family, 1);
		assertThat(lifetime()).isBetween(1L, family.calculator().fillMillis() + 2000);
		this.redis.command("PERSIST", key());
		settle(family, answer, 1);
		assertThat(lifetime()).isBetween(1L, family.calculator().fillMillis() + 2000);
		this.redis.command("PERSIST", key());
		settle(family, answer, -1);
		assertThat(lifetime()).isBetween(1L, family.calculator().fillMillis() + 2000);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void rejectionAndPeekChangeNoByte(String algorithm) {
		BucketFamily family = family(algorithm, 20, Duration.ofHours(1));
		assertThat(tryAcquire(family, 21).allowed()).isFalse();
		assertThat(tryAcquire(family, 0).allowed()).isTrue();
		assertThat(this.redis.keys("*")).isEmpty();
		tryAcquire(family, 15);
		this.redis.command("PERSIST", key());
		String before = digest();
		assertThat(tryAcquire(family, 6).allowed()).isFalse();
		assertThat(tryAcquire(family, 0).allowed()).isTrue();
		assertThat(digest()).isEqualTo(before);
		assertThat(lifetime()).isEqualTo(-1);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void fullRefundLeavesNoKey(String algorithm) {
		BucketFamily family = family(algorithm, 20, Duration.ofHours(1));
		settle(family, tryAcquire(family, 15), -15);
		assertThat(this.redis.keys("*")).isEmpty();
	}

	@Test
	void aWindowOfTheCalendarIsFoundByClocksThatDoNotQuiteAgree() {
		Limit limit = new Limit("fixed-window", 5, Duration.ofHours(1), 5, 0,
				Optional.of(new CalendarWindow(CalendarWindow.Unit.HOUR, ZoneId.of("Asia/Kolkata"))), false);
		BucketFamily family = Demands.family("calendar", limit);
		long hour = Duration.ofHours(1).toMillis();
		long half = hour / 2;
		// The window of the instance starts at half past. The clock of Redis is slightly
		// behind, ahead, or far off.
		long[] bounds = family.calculator().luaArguments(100 * hour + half);
		for (long[] at : new long[][] { { -1, half }, { 0, half + hour }, { hour, half + 2 * hour },
				{ 2 * hour, half + 3 * hour }, { 5 * hour + 1, half + 6 * hour } }) {
			long now = bounds[2] + at[0];
			String seen = this.redis.command("EVAL",
					"local call, format = redis.call, string.format\nlocal now = " + now
							+ "\nlocal cost, capacity, length, first, second, third = 1, 5, 0, " + bounds[2] + ", "
							+ bounds[3] + ", " + (bounds[3] + hour) + "\nlocal closes, used = 0, 0\n"
							+ LuaFragment.of("fixed-window").look() + "return closes",
					"0");
			assertThat(Long.parseLong(seen)).isEqualTo(100 * hour + at[1]);
		}
	}

	private AcquireResult tryAcquire(BucketFamily family, long cost) {
		return this.store.acquire(Demands.of(Demands.charge(family, "ann", cost))).join();
	}

	private void settle(BucketFamily family, AcquireResult charged, long units) {
		this.store.settle(List.of(new Settlement(new Bucket(family, "ann"), charged.charge(0).takenAtMillis(), units)))
			.join();
	}

	private long lifetime() {
		return Long.parseLong(this.redis.command("PTTL", key()));
	}

	private String digest() {
		return this.redis.command("EVAL", "return redis.sha1hex(redis.call('DUMP', KEYS[1]))", "1", key());
	}

	private String key() {
		return this.redis.command("KEYS", "rl:test:*");
	}

	private static BucketFamily family(String algorithm, long quantity, Duration period) {
		return Demands.family("rule", new Limit(algorithm, quantity, period, quantity));
	}

}
