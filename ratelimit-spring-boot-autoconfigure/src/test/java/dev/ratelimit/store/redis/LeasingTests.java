package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Limit;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.StoreUnderTest;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
class LeasingTests implements StoreUnderTest {

	/** A whole number of minutes after the epoch. */
	private static final long TODAY = 60_000_000_000L;

	private static final long LASTS = 60_000;

	private static RedisFixture fixture;

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final StoreStage store = before(fixture.store(this.clock::get));

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	StoreStage before(StoreStage redis) {
		return redis;
	}

	@Override
	public StoreStage store() {
		return this.store;
	}

	@Override
	public void at(long millis) {
		this.clock.set(TODAY + millis);
	}

	@Override
	public long remembered() {
		return TestRedis.shared().keys("rl:test:*").size();
	}

	private static BucketFamily family(String algorithm) {
		return Demands.family("leased", new Limit(algorithm, 2000, Duration.ofDays(1), 2000));
	}

	private static Charge leasing(BucketFamily family, long cost, String holder, long units, long held) {
		return Demands.charge(family, "ann", 1).leasing(cost, new LeaseRequest(holder, units, held, LASTS));
	}

	private long leased(BucketFamily family, long cost, String holder, long units) {
		return tryAcquire(leasing(family, cost, holder, units, 0)).charge(0).leased();
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void leasedUnitsCountAsUsed(String algorithm) {
		BucketFamily family = family(algorithm);
		AcquireResult answer = tryAcquire(leasing(family, 3, "a", 20, 0));
		assertThat(answer.allowed()).isTrue();
		assertThat(answer.charge(0).leased()).isEqualTo(20);
		assertThat(answer.verdicts().get(0).remaining()).isEqualTo(1997);
		assertThat(remaining(family, "ann")).isEqualTo(1977);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void leasesOfAllInstancesAreAtMostATwentieth(String algorithm) {
		BucketFamily family = family(algorithm);
		for (String holder : List.of("a", "b", "c", "d")) {
			assertThat(leased(family, 1, holder, 1000)).isEqualTo(25);
		}
		assertThat(leased(family, 1, "e", 1000)).isZero();
		assertThat(tryAcquire(leasing(family, 1, "a", 1000, 5)).charge(0).leased()).as("a fifth, of which 5 are held")
			.isEqualTo(15);
		assertThat(leased(family, 1, "e", 1000)).as("what a has not").isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void remainingUnitsAreDividedByInstances(String algorithm) {
		BucketFamily family = family(algorithm);
		tryAcquire(Demands.charge(family, "ann", 1980));
		assertThat(leased(family, 0, "a", 8)).isEqualTo(8);
		assertThat(leased(family, 0, "b", 1000)).as("half of 12").isEqualTo(6);
	}

	@Test
	void exhaustedBucketGrantsNoLease() {
		BucketFamily family = family("fixed-window");
		tryAcquire(Demands.charge(family, "ann", 1999));
		AcquireResult last = tryAcquire(leasing(family, 1, "a", 10, 0));
		assertThat(last.allowed()).isTrue();
		assertThat(last.charge(0).leased()).isZero();
		AcquireResult rejected = tryAcquire(leasing(family, 1, "a", 10, 0));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.charge(0).leased()).isZero();
	}

	@Test
	void rejectionGrantsNoLease() {
		BucketFamily full = family("token-bucket");
		BucketFamily empty = Demands.family("empty", new Limit("fixed-window", 1, Duration.ofMinutes(1), 1));
		tryAcquire(Demands.charge(empty, "ann", 1));
		long before = remembered();
		AcquireResult rejected = tryAcquire(leasing(full, 1, "a", 10, 0), Demands.charge(empty, "ann", 1));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.charge(0).leased()).isZero();
		assertThat(remembered()).isEqualTo(before);
		assertThat(remaining(full, "ann")).isEqualTo(2000);
	}

	@Test
	void requestChargesAllBucketsAndLeasesOnlyWhereRequested() {
		BucketFamily leased = family("token-bucket");
		BucketFamily logged = Demands.family("logged", new Limit("sliding-log", 10, Duration.ofMinutes(1), 10));
		BucketFamily watched = Demands.family("watched", new Limit("fixed-window", 1, Duration.ofMinutes(1), 1));
		AcquireResult answer = tryAcquire(Demands.charge(logged, "ann", 2), leasing(leased, 1, "a", 10, 0),
				Demands.shadow(watched, "ann", 5));
		assertThat(answer.allowed()).isTrue();
		assertThat(new long[] { answer.charge(0).leased(), answer.charge(1).leased(), answer.charge(2).leased() })
			.containsExactly(0, 10, 0);
		assertThat(answer.verdicts()).extracting((verdict) -> verdict.outcome().name())
			.containsExactly("ALLOWED", "ALLOWED", "SHADOW_REJECTED");
		assertThat(remaining(logged, "ann")).isEqualTo(8);
	}

	@Test
	void releaseReturnsLeasedUnits() {
		BucketFamily family = family("fixed-window");
		this.store.release(tryAcquire(leasing(family, 2, "a", 10, 0))).join();
		assertThat(remaining(family, "ann")).isEqualTo(2000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void unspentLeaseIsReturnedOnce(String algorithm) {
		BucketFamily family = family(algorithm);
		AcquireResult answer = tryAcquire(leasing(family, 1, "a", 20, 0));
		LeaseReturn left = new LeaseReturn(new Bucket(family, "ann"), "a", answer.charge(0).takenAtMillis(), 15, LASTS);
		assertThat(this.store.returnLease(left).join()).isEqualTo(15);
		assertThat(remaining(family, "ann")).isEqualTo(1994);
		assertThat(this.store.returnLease(left).join()).isZero();
		assertThat(remaining(family, "ann")).isEqualTo(1994);
		assertThat(leased(family, 0, "b", 1000)).as("nobody else holds units").isEqualTo(25);
	}

	@Test
	void returnedUnitsNeverExceedTheLease() {
		BucketFamily family = family("fixed-window");
		AcquireResult answer = tryAcquire(leasing(family, 10, "a", 20, 0));
		assertThat(this.store
			.returnLease(new LeaseReturn(new Bucket(family, "ann"), "a", answer.charge(0).takenAtMillis(), 1000, LASTS))
			.join()).isEqualTo(20);
		assertThat(remaining(family, "ann")).isEqualTo(1990);
	}

	@Test
	void lateReturnIsIgnored() {
		BucketFamily family = family("fixed-window");
		AcquireResult answer = tryAcquire(leasing(family, 1, "a", 20, 0));
		at(LASTS);
		assertThat(this.store
			.returnLease(new LeaseReturn(new Bucket(family, "ann"), "a", answer.charge(0).takenAtMillis(), 20, LASTS))
			.join()).isZero();
		assertThat(remaining(family, "ann")).isEqualTo(1979);
		assertThat(leased(family, 0, "b", 1000)).as("nobody else holds units").isEqualTo(25);
	}

	@Test
	void leaseReturnedAfterResetCreatesNothing() {
		BucketFamily family = family("token-bucket");
		AcquireResult answer = tryAcquire(leasing(family, 1, "a", 20, 0));
		this.store.reset(List.of(new Bucket(family, "ann"))).join();
		this.store
			.returnLease(new LeaseReturn(new Bucket(family, "ann"), "a", answer.charge(0).takenAtMillis(), 20, LASTS))
			.join();
		assertThat(remaining(family, "ann")).isEqualTo(2000);
	}

	@Test
	void allThatIsKeptExpires() {
		tryAcquire(leasing(family("token-bucket"), 1, "a", 20, 0));
		assertThat(remembered()).isEqualTo(2);
		for (String key : TestRedis.shared().keys("rl:test:*")) {
			assertThat(Long.parseLong(TestRedis.shared().command("PTTL", key))).isPositive();
		}
	}

}
