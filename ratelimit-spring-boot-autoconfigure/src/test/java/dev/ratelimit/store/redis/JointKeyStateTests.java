package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests the joint key of all limits of a rule and subject: its content, its size, and the
 * requests that use it.
 */
@RedisTest
class JointKeyStateTests {

	private static final String KEY = "rl:test:{ann}:rule.*";

	private static final Limit SECOND = limit("token-bucket", 10, Duration.ofSeconds(1));

	private static final Limit MINUTE = limit("token-bucket", 100, Duration.ofMinutes(1));

	private static final Limit HOUR = limit("token-bucket", 1000, Duration.ofHours(1));

	private static final Limit DAY = limit("fixed-window", 5000, Duration.ofDays(1));

	private static RedisFixture fixture;

	private final TestRedis redis = TestRedis.shared();

	private final AtomicLong clock = new AtomicLong(60_000_000_000L);

	private final RedisLimitStore store = fixture.store(this.clock::get);

	private final List<BucketFamily> three = Demands.families("rule", SECOND, MINUTE, HOUR);

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	private static Limit limit(String algorithm, long quantity, Duration period) {
		return new Limit(algorithm, quantity, period, quantity);
	}

	@Test
	void threeLimitsAreOneKeyWithOneLifetime() {
		long start = System.nanoTime();
		tryAcquire(this.three, 5);
		assertThat(keys()).containsExactly(KEY);
		assertThat(lifetime() + millisSince(start)).isGreaterThanOrEqualTo(17_500);
		assertThat(lifetime()).isLessThanOrEqualTo(20_000);
		assertThat(left(this.three)).containsExactly(5L, 95L, 995L);
	}

	@Test
	void aDecisionOnThreeLimitsReadsOnceAndWritesOnce() {
		try (TestRedis own = TestRedis.start(); RedisFixture connected = RedisFixture.connected(own)) {
			RedisLimitStore timed = connected.store();
			timed.acquire(Demands.all(this.three, "ann", 1)).join();
			own.command("CONFIG", "RESETSTAT");
			timed.acquire(Demands.all(this.three, "ann", 1)).join();
			assertThat(commands(own)).containsOnly(Map.entry("evalsha", 1L), Map.entry("time", 1L),
					Map.entry("get", 1L), Map.entry("set", 1L));
		}
	}

	@Test
	void aRejectionOrAPeekWritesNothing() {
		tryAcquire(this.three, 10);
		String before = this.redis.command("EVAL", "return redis.sha1hex(redis.call('DUMP', KEYS[1]))", "1", KEY);
		assertThat(tryAcquire(this.three, 10).allowed()).isFalse();
		assertThat(left(this.three)).containsExactly(0L, 90L, 990L);
		assertThat(this.redis.command("EVAL", "return redis.sha1hex(redis.call('DUMP', KEYS[1]))", "1", KEY))
			.isEqualTo(before);
	}

	@Test
	void threeLimitsTakeAtMostThreeTenthsMoreMemoryThanOne() {
		Assumptions.assumeTrue(countsNamesOfKeys(), "MEMORY USAGE leaves out the names of keys, as that of Valkey 8.1");
		List<BucketFamily> one = Demands.families("one", MINUTE);
		long ofOne = 0;
		long ofThree = 0;
		// The allocation size depends on the length of the key.
		for (int length = 1; length <= 32; length++) {
			String subject = "s".repeat(length);
			this.store.acquire(Demands.all(one, subject, 10)).join();
			this.store.acquire(Demands.all(this.three, subject, 10)).join();
			ofOne += memory("rl:test:{" + subject + "}:one.1min.*");
			ofThree += memory("rl:test:{" + subject + "}:rule.*");
		}
		assertThat(ofThree).isLessThanOrEqualTo(ofOne * 13 / 10);
		assertThat(this.redis.command("OBJECT", "ENCODING", KEY.replace("ann", "s"))).isEqualTo("embstr");
	}

	@Test
	void oneLimitKeepsItsInteger() {
		this.store.acquire(Demands.all(Demands.families("rule", MINUTE), "ann", 50)).join();
		assertThat(keys()).singleElement().asString().matches("rl:test:\\{ann}:rule\\.1min\\.[0-9a-f]{8}");
		assertThat(this.redis.command("OBJECT", "ENCODING", keys().get(0))).isEqualTo("int");
	}

	@Test
	void limitsThatGrowKeepKeysOfTheirOwnBesideIt() {
		Limit log = limit("sliding-log", 5, Duration.ofMinutes(2));
		Limit parallel = limit("concurrency", 5, Duration.ofMinutes(3));
		List<BucketFamily> limits = Demands.families("rule", SECOND, log, DAY, parallel);
		tryAcquire(limits, 2);
		assertThat(keys()).hasSize(3).contains(KEY);
		assertThat(left(limits)).containsExactly(8L, 3L, 4998L, 3L);
		assertThat(Demands.families("rule", SECOND, log)).allMatch((limit) -> limit.joint().isEmpty());
	}

	@Test
	void allAlgorithmsWithFixedStatesLieTogether() {
		List<BucketFamily> limits = Demands.families("rule", SECOND, DAY, limit("gcra", 50, Duration.ofMinutes(1)),
				limit("sliding-window", 60, Duration.ofHours(2)), limit("leaky-bucket", 70, Duration.ofHours(3)));
		tryAcquire(limits, 3);
		tryAcquire(limits, 4);
		assertThat(keys()).containsExactly(KEY);
		assertThat(left(limits)).containsExactly(3L, 4993L, 43L, 53L, 63L);
	}

	@Test
	void aChangeOfOneLimitKeepsTheUsageOfTheOthers() {
		tryAcquire(this.three, 7);
		List<BucketFamily> changed = Demands.families("rule", DAY, HOUR, SECOND);
		assertThat(left(changed)).containsExactly(5000L, 993L, 3L);
		tryAcquire(changed, 1);
		assertThat(left(changed)).containsExactly(4999L, 992L, 2L);
		assertThat(keys()).containsExactly(KEY);
	}

	@Test
	void instancesWithOtherLimitsOfTheRuleShareTheKeyAndLoseNothing() {
		List<BucketFamily> two = Demands.families("rule", HOUR, DAY);
		for (int i = 0; i < 3; i++) {
			tryAcquire(two, 2);
			tryAcquire(this.three, 1);
		}
		assertThat(left(this.three)).containsExactly(7L, 97L, 991L);
		assertThat(left(two)).containsExactly(991L, 4994L);
		assertThat(lifetime()).isGreaterThan(5_000L);
	}

	@Test
	void usageOfALimitThatIsGoneExpires() {
		tryAcquire(this.three, 10);
		List<BucketFamily> two = Demands.families("rule", HOUR, DAY);
		tryAcquire(two, 1);
		long both = Long.parseLong(this.redis.command("STRLEN", KEY));
		this.clock.addAndGet(Duration.ofMinutes(2).toMillis());
		tryAcquire(two, 1);
		assertThat(Long.parseLong(this.redis.command("STRLEN", KEY))).isLessThan(both).isEqualTo(1 + 2 * 3 + 6 + 2 * 6);
	}

	@Test
	void aChargeOnSomeOfTheLimitsKeepsTheOthersAndTheirLifetime() {
		tryAcquire(this.three, 10);
		long start = System.nanoTime();
		long before = lifetime();
		assertThat(tryAcquire(this.three.subList(0, 1), 1).allowed()).isFalse();
		assertThat(tryAcquire(this.three.subList(1, 2), 1).allowed()).isTrue();
		assertThat(left(this.three)).containsExactly(0L, 89L, 990L);
		assertThat(lifetime() + millisSince(start)).isGreaterThanOrEqualTo(before - 1000);
		assertThat(lifetime()).isLessThanOrEqualTo(before);
		assertThat(tryAcquire(this.three.subList(1, 3), 80).allowed()).isTrue();
		assertThat(left(this.three)).containsExactly(0L, 9L, 910L);
	}

	@Test
	void costsMayDiffer() {
		AcquireResult answer = this.store
			.acquire(Demands.of(Demands.charge(this.three.get(0), "ann", 1),
					Demands.charge(this.three.get(1), "ann", 20), Demands.charge(this.three.get(2), "ann", 300)))
			.join();
		assertThat(answer.allowed()).isTrue();
		assertThat(left(this.three)).containsExactly(9L, 80L, 700L);
	}

	@Test
	void aResetOfOneLimitKeepsTheOthers() {
		tryAcquire(this.three, 10);
		this.store.reset(List.of(bucket(1))).join();
		assertThat(left(this.three)).containsExactly(0L, 100L, 990L);
		this.store.reset(List.of(bucket(0), bucket(2))).join();
		assertThat(keys()).isEmpty();
	}

	@Test
	void aResetOfAllLimitsDeletesTheKeyWithWhateverLiesThere() {
		tryAcquire(Demands.families("rule", MINUTE, DAY), 10);
		tryAcquire(this.three, 10);
		this.store.reset(List.of(bucket(2), bucket(1), bucket(0))).join();
		assertThat(keys()).isEmpty();
	}

	@Test
	void aRefundOfAllLeavesNothing() {
		AcquireResult answer = tryAcquire(this.three, 10);
		this.store.settle(List.of(new Settlement(bucket(1), answer.charge(0).takenAtMillis(), -10))).join();
		assertThat(left(this.three)).containsExactly(0L, 100L, 990L);
		this.store.settle(List.of(new Settlement(bucket(0), answer.charge(0).takenAtMillis(), -10),
				new Settlement(bucket(2), answer.charge(0).takenAtMillis(), -10)))
			.join();
		assertThat(keys()).isEmpty();
		this.store.release(tryAcquire(this.three, 5)).join();
		assertThat(keys()).isEmpty();
	}

	@Test
	void aKeyThatLostItsLifetimeIsHealedByTheNextWrite() {
		long start = System.nanoTime();
		tryAcquire(this.three, 5);
		this.redis.command("PERSIST", KEY);
		tryAcquire(this.three, 1);
		assertThat(lifetime() + millisSince(start)).isGreaterThanOrEqualTo(20_000);
		assertThat(lifetime()).isBetween(0L, 24_000L);
		this.redis.command("PERSIST", KEY);
		tryAcquire(this.three.subList(0, 1), 1);
		assertThat(lifetime() + millisSince(start)).isGreaterThanOrEqualTo(20_000);
		assertThat(lifetime()).isBetween(0L, Duration.ofDays(1).toMillis());
	}

	@Test
	void oneOfTheLimitsMayBeLeased() {
		Charge leased = Demands.charge(this.three.get(2), "ann", 1)
			.with(Consistency.LEASED)
			.leasing(1, new LeaseRequest("a", 10, 0, 60_000));
		AcquireResult answer = this.store
			.acquire(Demands.of(Demands.charge(this.three.get(0), "ann", 1),
					Demands.charge(this.three.get(1), "ann", 1), leased))
			.join();
		assertThat(answer.charge(2).leased()).isEqualTo(10);
		assertThat(left(this.three)).containsExactly(9L, 99L, 989L);
		assertThat(this.store.returnLease(new LeaseReturn(bucket(2), "a", answer.charge(0).takenAtMillis(), 6, 60_000))
			.join()).isEqualTo(6);
		assertThat(left(this.three)).containsExactly(9L, 99L, 995L);
	}

	@Test
	void aSecondLimitTakesOverTheUsageOfTheFirst() {
		List<BucketFamily> one = Demands.families("rule", MINUTE);
		tryAcquire(one, 40);
		List<BucketFamily> two = following(one, Demands.families("rule", MINUTE, HOUR));
		assertThat(left(two)).containsExactly(60L, 1000L);
		tryAcquire(two, 1);
		assertThat(left(two)).containsExactly(59L, 999L);
		assertThat(keys()).containsExactly(KEY);
	}

	@Test
	void theLimitThatIsLeftTakesOverItsUsage() {
		tryAcquire(this.three, 8);
		List<BucketFamily> one = following(this.three, Demands.families("rule", MINUTE));
		assertThat(left(one)).containsExactly(92L);
	}

	@Test
	void aChangedLimitTakesOverItsUsageWithinTheKey() {
		tryAcquire(this.three, 8);
		List<BucketFamily> changed = following(this.three,
				Demands.families("rule", SECOND, limit("token-bucket", 300, Duration.ofMinutes(1)), HOUR));
		assertThat(left(changed)).containsExactly(2L, 292L, 992L);
		tryAcquire(changed, 1);
		assertThat(left(changed)).containsExactly(1L, 291L, 991L);
		assertThat(Long.parseLong(this.redis.command("STRLEN", KEY))).as("the old record is gone").isEqualTo(28);
	}

	@Test
	void severalRulesAreOneCall() {
		List<BucketFamily> other = Demands.families("other", HOUR, DAY);
		BucketFamily alone = Demands.family("alone", MINUTE);
		Charge[] charges = { Demands.charge(alone, "ann", 2), Demands.charge(this.three.get(0), "ann", 3),
				Demands.charge(this.three.get(1), "ann", 3), Demands.charge(this.three.get(2), "ann", 3),
				Demands.charge(other.get(0), "ann", 4), Demands.charge(other.get(1), "ann", 4) };
		try (TestRedis own = TestRedis.start(); RedisFixture connected = RedisFixture.connected(own)) {
			RedisLimitStore apart = connected.store(this.clock::get);
			apart.acquire(Demands.of(charges)).join();
			own.command("CONFIG", "RESETSTAT");
			assertThat(apart.acquire(Demands.of(charges)).join().allowed()).isTrue();
			assertThat(commands(own)).contains(Map.entry("evalsha", 1L), Map.entry("get", 3L), Map.entry("set", 3L))
				.hasSize(3);
			assertThat(left(apart, this.three)).containsExactly(4L, 94L, 994L);
			assertThat(left(apart, other)).containsExactly(992L, 4992L);
		}
	}

	@Test
	void aServerThatCannotPackTheNumbersSaysSo() {
		String script = "local call, struct = redis.call, { size = function() return 4 end }\n"
				+ LuaFragment.resource("joint-keys") + "return open(KEYS[1], ARGV[1])";
		assertThatThrownBy(() -> this.redis.command("EVAL", script, "1", KEY, "\u0001abc"))
			.hasMessageContaining("64-bit server");
	}

	private static List<BucketFamily> following(List<BucketFamily> before, List<BucketFamily> after) {
		return after.stream()
			.map((family) -> before.stream()
				.filter((former) -> window(former).equals(window(family)))
				.findFirst()
				.map((former) -> family.replacing(former, new Activation()))
				.orElse(family))
			.toList();
	}

	private static String window(BucketFamily family) {
		return family.policy().limit().orElseThrow().window();
	}

	private Bucket bucket(int index) {
		return new Bucket(this.three.get(index), "ann");
	}

	private AcquireResult tryAcquire(List<BucketFamily> families, long cost) {
		return this.store.acquire(Demands.all(families, "ann", cost)).join();
	}

	private List<Long> left(List<BucketFamily> families) {
		return left(this.store, families);
	}

	private static List<Long> left(RedisLimitStore store, List<BucketFamily> families) {
		return store.acquire(Demands.all(families, "ann", 0))
			.join()
			.verdicts()
			.stream()
			.map((verdict) -> verdict.remaining())
			.toList();
	}

	private long lifetime() {
		return Long.parseLong(this.redis.command("PTTL", KEY));
	}

	private static long millisSince(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
	}

	private List<String> keys() {
		return this.redis.keys("*");
	}

	private boolean countsNamesOfKeys() {
		String shortName = "short";
		String longName = "long".repeat(100);
		this.redis.command("SET", shortName, "1");
		this.redis.command("SET", longName, "1");
		return memory(longName) > memory(shortName);
	}

	private long memory(String pattern) {
		String key = this.redis.keys(pattern.replace("rule.*", "rule.\\*")).get(0);
		return Long.parseLong(this.redis.command("MEMORY", "USAGE", key));
	}

	// Applications of other tests may still send commands to the shared server.
	private static Map<String, Long> commands(TestRedis own) {
		Map<String, Long> calls = new TreeMap<>(Arrays.stream(own.command("INFO", "commandstats").split("\r?\n"))
			.filter((line) -> line.startsWith("cmdstat_"))
			.collect(Collectors.toMap((line) -> line.substring(8, line.indexOf(':')),
					(line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))));
		calls.keySet().removeIf((name) -> name.startsWith("config") || name.equals("info"));
		return calls;
	}

}
