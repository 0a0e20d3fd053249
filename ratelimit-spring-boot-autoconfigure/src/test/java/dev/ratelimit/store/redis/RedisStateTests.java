package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests the data in Redis: names, lifetimes, sizes, and times.
 */
@RedisTest
class RedisStateTests {

	/** The lifetime of a key that Redis has deleted, at the earliest after a second. */
	private static final long GONE = -2;

	private static RedisFixture fixture;

	private final TestRedis redis = TestRedis.shared();

	private final RedisLimitStore store = fixture.store();

	private final BucketFamily family = Demands.perMinute("search", 10);

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	@Test
	void aKeyNamesPrefixSubjectRuleWindowAndDigest() {
		tryAcquire(Demands.charge(this.family, "user:42", 1));
		assertThat(keys()).singleElement().asString().matches("rl:test:\\{user:42}:search\\.1min\\.[0-9a-f]{8}");
	}

	@Test
	void theMarkersOfACallerStandBesideItsBuckets() {
		this.store.acquire(marked("id", 3_600_000)).join();
		assertThat(keys()).contains("rl:test:{user:42}:i").hasSize(2);
	}

	@Test
	void theHashTagMayHoldTheRuleAndThenMarkersStandBesideTheBucketsOfARule() {
		fixture.store(HashTag.SUBJECT_AND_RULE).acquire(marked("id", 3_600_000)).join();
		assertThat(keys()).hasSize(2)
			.contains("rl:test:{user:42:search}:i")
			.anyMatch((key) -> key.matches("rl:test:\\{user:42:search}:search\\.1min\\.[0-9a-f]{8}"));
	}

	@Test
	void theBurstIsNoPartOfTheName() {
		tryAcquire(Demands.charge(family(10, 3_600_000, 10), "ann", 1));
		tryAcquire(Demands.charge(family(10, 3_600_000, 99), "ann", 1));
		assertThat(keys()).hasSize(1);
		tryAcquire(Demands.charge(family(11, 3_600_000, 10), "ann", 1));
		assertThat(keys()).hasSize(2);
	}

	@Test
	void aPrefixThatWouldMoveTheHashTagIsRejected() {
		for (String prefix : List.of("", "a{b", "a}b")) {
			assertThatIllegalArgumentException().isThrownBy(() -> new RedisKeys(prefix, HashTag.SUBJECT));
		}
	}

	@Test
	void everyWriteLeavesALifetimeOfNoMoreThanTheFillTimeAndTwoSeconds() {
		BucketFamily[] families = { family(1, 3_600_000, 5), family(10, 1000, 10), family(1000, 1000, 5000),
				family(7, 60_000, 13), family(1, 1000, 1) };
		for (BucketFamily each : families) {
			for (int i = 0; i < 20; i++) {
				long start = System.nanoTime();
				tryAcquire(Demands.charge(each, "ann", 1));
				for (String key : keys()) {
					long lifetime = lifetime(key);
					if (lifetime != GONE || millisSince(start) < 1000) {
						assertThat(lifetime).as(key).isBetween(1L, each.calculator().fillMillis() + 2000);
					}
				}
			}
			this.redis.command("FLUSHALL");
		}
	}

	@Test
	void aBucketOutlivesItsFilling() {
		long start = System.nanoTime();
		tryAcquire(Demands.charge(this.family, "ann", 5));
		long lifetime = lifetime(keys().get(0));
		assertThat(lifetime).isLessThanOrEqualTo(32_000);
		assertThat(lifetime + millisSince(start)).isGreaterThanOrEqualTo(30_000);
	}

	@Test
	void markersLiveForTheirTtlAndNoMoreThanTwoSecondsBeyond() {
		long start = System.nanoTime();
		for (String id : List.of("a", "a", "b", "a", "c")) {
			this.store.acquire(marked(id, 100_000)).join();
			long lifetime = lifetime("rl:test:{user:42}:i");
			assertThat(lifetime).isLessThanOrEqualTo(102_000);
			assertThat(lifetime + millisSince(start)).isGreaterThanOrEqualTo(100_000);
		}
	}

	@Test
	void theNextWriteHealsAKeyThatLostItsLifetime() {
		tryAcquire(Demands.charge(this.family, "ann", 1));
		String key = keys().get(0);
		this.redis.command("PERSIST", key);
		assertThat(lifetime(key)).isEqualTo(-1);
		tryAcquire(Demands.charge(this.family, "ann", 1));
		assertThat(lifetime(key)).isBetween(1L, 62_000L);
	}

	@Test
	void theNextWriteHealsMarkersThatLostTheirLifetime() {
		for (String id : List.of("a", "b")) {
			this.store.acquire(marked("a", 100_000)).join();
			this.redis.command("PERSIST", "rl:test:{user:42}:i");
			this.store.acquire(marked(id, 100_000)).join();
			assertThat(lifetime("rl:test:{user:42}:i")).as(id).isBetween(1L, 102_000L);
		}
	}

	@Test
	void rejectionAndPeekChangeNothing() {
		tryAcquire(Demands.charge(this.family, "ann", 10));
		String key = keys().get(0);
		this.redis.command("PERSIST", key);
		String value = this.redis.command("GET", key);
		assertThat(tryAcquire(Demands.charge(this.family, "ann", 5)).allowed()).isFalse();
		tryAcquire(Demands.charge(this.family, "ann", 0));
		assertThat(this.redis.command("GET", key)).isEqualTo(value);
		assertThat(lifetime(key)).isEqualTo(-1);
		assertThat(keys()).containsExactly(key);
	}

	@Test
	void goesByTheServersClock() {
		long before = serverSeconds() * 1000;
		tryAcquire(Demands.charge(this.family, "ann", 6));
		long state = Long.parseLong(this.redis.command("GET", keys().get(0)));
		// At 10 tokens per minute, a 6000th of a token is refilled per millisecond.
		assertThat(state - 6 * 6000).isBetween(before, (serverSeconds() + 1) * 1000);
	}

	private long serverSeconds() {
		return Long.parseLong(this.redis.command("TIME").split("\n")[0]) - LimitCalculator.EPOCH_SECONDS;
	}

	@Test
	void aTokenBucketTakesAsLittleMemoryAsAnInteger() {
		tryAcquire(Demands.charge(Demands.perMinute("r", 10), "1234567890", 1));
		String key = keys().get(0);
		String forty = key.replace("1234567890", "1234567890" + "x".repeat(40 - key.length()));
		this.redis.command("RENAME", key, forty);
		assertThat(forty).hasSize(40);
		assertThat(this.redis.command("OBJECT", "ENCODING", forty)).isEqualTo("int");
		assertThat(Long.parseLong(this.redis.command("MEMORY", "USAGE", forty))).isLessThanOrEqualTo(96);
	}

	private AcquireResult tryAcquire(Charge charge) {
		return this.store.acquire(Demands.of(charge)).join();
	}

	private AcquireRequest marked(String id, long ttlMillis) {
		return Demands.of(new ReplayMarker("user:42", id, ttlMillis, 5, 10),
				Demands.replayable(this.family, "user:42", 1));
	}

	private long lifetime(String key) {
		return Long.parseLong(this.redis.command("PTTL", key));
	}

	private static long millisSince(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
	}

	private List<String> keys() {
		return Arrays.asList(this.redis.command("KEYS", "rl:test:*").split("\n"));
	}

	private static BucketFamily family(long quantity, long periodMillis, long burst) {
		return Demands.family("rule", new Limit(Algorithms.DEFAULT, quantity, Duration.ofMillis(periodMillis), burst));
	}

}
