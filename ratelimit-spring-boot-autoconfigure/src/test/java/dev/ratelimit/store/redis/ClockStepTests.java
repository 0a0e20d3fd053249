package dev.ratelimit.store.redis;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.test.Limits;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the state in Redis after its clock is set back by half an hour. The time is an
 * argument of the scripts.
 */
@RedisTest
class ClockStepTests {

	/** A whole number of hours after the epoch, and a few seconds. */
	private static final long TODAY = Duration.ofHours(16_667).toMillis() + 3456;

	private static final long STEP = Duration.ofMinutes(30).toMillis();

	private static final Duration WINDOW = Duration.ofSeconds(10);

	private static final long TWO_WINDOWS = 2 * WINDOW.toMillis();

	private static RedisFixture fixture;

	private final TestRedis redis = TestRedis.shared();

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

	static Set<String> algorithms() {
		return Algorithms.ids();
	}

	static List<String> leased() {
		return List.of("token-bucket", "gcra", "fixed-window", "sliding-window");
	}

	private static Limit limit(String algorithm) {
		return new Limit(algorithm, 10, WINDOW, 10);
	}

	private AcquireResult tryAcquire(AcquireRequest request) {
		return this.store.acquire(request).join();
	}

	private Verdict tryAcquire(BucketFamily family, long cost) {
		return tryAcquire(Demands.of(Demands.charge(family, "ann", cost))).verdicts().get(0);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void cutBucketLastsTwoWindowsAndIsWrittenOnce(String algorithm) {
		BucketFamily family = Demands.family("rule", limit(algorithm));
		tryAcquire(family, 10);
		// Simulate a server clock that was set back, which makes lifetimes longer.
		this.redis.command("PEXPIRE", key(), String.valueOf(STEP));
		this.clock.addAndGet(-STEP);
		assertThat(tryAcquire(family, 1).remaining()).isZero();
		assertThat(lifetime()).isBetween(1L, TWO_WINDOWS + 2000);
		String before = digest();
		assertThat(tryAcquire(family, 1).remaining()).isZero();
		assertThat(tryAcquire(family, 0).remaining()).isZero();
		assertThat(digest()).isEqualTo(before);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void cutBucketCanBeCorrected(String algorithm) {
		BucketFamily family = Demands.family("rule", limit(algorithm));
		Bucket bucket = new Bucket(family, "ann");
		long takenAt = this.clock.get();
		tryAcquire(family, 10);
		this.clock.addAndGet(-STEP);
		this.store.settle(List.of(new Settlement(bucket, takenAt, -3))).join();
		assertThat(tryAcquire(family, 0).remaining()).isBetween(0L, 3L);
		this.store.settle(List.of(new Settlement(bucket, this.clock.get(), 100))).join();
		assertThat(tryAcquire(family, 1).retryAfterMillis()).isBetween(1L, TWO_WINDOWS);
		this.clock.addAndGet(TWO_WINDOWS);
		assertThat(tryAcquire(family, 10).retryAfterMillis()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "leaky-bucket", "fixed-window", "sliding-window" })
	void limitsInOneKeyAreCutEachAndTheOthersOfTheKeyStay(String algorithm) {
		List<BucketFamily> both = Demands.families("rule", limit(algorithm),
				new Limit("fixed-window", 21, Duration.ofDays(1), 21));
		assertThat(both).allMatch((family) -> family.joint().isPresent());
		assertThat(tryAcquire(Demands.all(both, "ann", 10)).allowed()).isTrue();
		this.clock.addAndGet(-STEP);
		assertThat(tryAcquire(Demands.all(both, "ann", 1)).allowed()).isFalse();
		assertThat(lifetime()).as("of the day").isGreaterThan(Duration.ofHours(6).toMillis());
		this.clock.addAndGet(TWO_WINDOWS);
		assertThat(tryAcquire(Demands.all(both, "ann", 10)).allowed()).isTrue();
		this.clock.addAndGet(TWO_WINDOWS);
		assertThat(tryAcquire(Demands.all(both, "ann", 1)).allowed()).isTrue();
		assertThat(tryAcquire(Demands.all(both, "ann", 1)).allowed()).as("of the day, nothing is left").isFalse();
	}

	// Tests the script for requests of any kind, with keys of any kind.
	@ParameterizedTest
	@MethodSource("algorithms")
	void aPeekAndAChargeThatOnlyCountsCutToo(String algorithm) {
		BucketFamily alone = Demands.family("alone", limit(algorithm));
		List<BucketFamily> both = Demands.families("rule", limit(algorithm),
				new Limit("gcra", 21, Duration.ofDays(1), 21));
		tryAcquire(Demands.of(Demands.charge(alone, "ann", 10)));
		tryAcquire(Demands.all(both, "ann", 10));
		this.clock.addAndGet(-STEP);
		assertThat(tryAcquire(Demands.of(Demands.shadow(alone, "ann", 1))).verdicts().get(0).remaining()).isZero();
		assertThat(tryAcquire(Demands.all(both, "ann", 0)).verdicts().get(0).remaining()).isZero();
		this.clock.addAndGet(TWO_WINDOWS);
		assertThat(tryAcquire(Demands.of(Demands.charge(alone, "ann", 10))).allowed()).isTrue();
		assertThat(tryAcquire(Demands.all(both, "ann", 10)).allowed()).isTrue();
	}

	@Test
	void aWindowOfTheCalendarIsNotMoved() {
		Limit limit = new Limit("fixed-window", 5, Duration.ofHours(1), 5, 0,
				Optional.of(new CalendarWindow(CalendarWindow.Unit.HOUR, ZoneId.of("UTC"))), false);
		BucketFamily family = Demands.family("calendar", limit);
		long hour = Duration.ofHours(1).toMillis();
		long untilClosed = hour - 3456;
		tryAcquire(family, 5);
		this.clock.addAndGet(-10_000);
		assertThat(tryAcquire(family, 1).retryAfterMillis()).as("the window and the step")
			.isEqualTo(untilClosed + 10_000);
		this.clock.addAndGet(-5 * hour);
		assertThat(tryAcquire(family, 1).retryAfterMillis()).as("what is left of this window, and the next")
			.isEqualTo(10_000 - 3456 + hour);
		this.clock.addAndGet(10_000 - 3456 + hour);
		assertThat(tryAcquire(family, 5).resetAfterMillis()).isEqualTo(hour);
	}

	@Test
	void theWindowOfACallerThatIsBehindIsNotCut() {
		Limit limit = new Limit("fixed-window", 5, Duration.ofHours(1), 5, 0,
				Optional.of(new CalendarWindow(CalendarWindow.Unit.HOUR, ZoneId.of("UTC"))), false);
		LuaFragment fragment = LuaFragment.of("fixed-window");
		long[] bounds = Demands.family("calendar", limit).calculator().luaArguments(TODAY);
		long hour = Duration.ofHours(1).toMillis();
		for (long late : new long[] { -1, 0, 1, hour - 1, hour, 3 * hour + 5 }) {
			long now = bounds[3] + late;
			long closes = Math.floorDiv(now, hour) * hour + hour;
			String ahead = this.redis.command("EVAL",
					"local now, length, first, second, third = " + now + ", 0, " + bounds[2] + ", " + bounds[3] + ", "
							+ bounds[4] + "\nlocal closes = " + closes + "\nreturn tostring(" + fragment.ahead() + ")",
					"0");
			assertThat(ahead).isEqualTo("false");
		}
	}

	@ParameterizedTest
	@MethodSource("leased")
	void leasesOfInstancesThatAreGoneEndAfterTheNextLease(String algorithm) {
		BucketFamily family = Demands.family("leased", new Limit(algorithm, 2000, WINDOW, 2000));
		for (String holder : List.of("a", "b", "c", "d")) {
			assertThat(lease(family, holder)).isEqualTo(25);
		}
		this.clock.addAndGet(-STEP);
		tryAcquire(family, 0);
		this.clock.addAndGet(TWO_WINDOWS);
		assertThat(lease(family, "e")).as("all holders have what all may have").isZero();
		this.clock.addAndGet(25_000);
		assertThat(lease(family, "f")).isEqualTo(25);
	}

	private long lease(BucketFamily family, String holder) {
		Charge charge = Demands.charge(family, "ann", 1).leasing(1, new LeaseRequest(holder, 1000, 0, 20_000));
		return tryAcquire(Demands.of(charge)).charge(0).leased();
	}

	@Test
	void slotsOfAnInstanceThatIsGoneAreFreeAfterTheLease() {
		Duration lease = Duration.ofSeconds(20);
		BucketFamily family = Demands.concurrent("slots", Limits.concurrent(5, lease));
		RedisLimitStore gone = fixture.store(this.clock::get, 1);
		RedisLimitStore living = fixture.store(this.clock::get, 2);
		AcquireRequest three = Demands.of(Demands.charge(family, "ann", 3));
		AcquireRequest one = Demands.of(Demands.charge(family, "ann", 1));
		assertThat(gone.acquire(three).join().allowed()).isTrue();
		assertThat(living.acquire(one).join().allowed()).isTrue();
		this.clock.addAndGet(-STEP);
		assertThat(living.acquire(three).join().allowed()).isFalse();
		this.clock.addAndGet(lease.toMillis() - 1);
		assertThat(living.renew(Map.of(new Bucket(family, "ann"), 1L)).join().lost()).isZero();
		assertThat(living.acquire(three).join().allowed()).isFalse();
		this.clock.addAndGet(1);
		assertThat(living.acquire(three).join().allowed()).isTrue();
		assertThat(living.acquire(one).join().verdicts().get(0).remaining()).as("one is still held").isZero();
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

}
