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
import dev.ratelimit.store.LimitStore;
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
class LendingTests implements StoreUnderTest {

	/** A whole number of minutes after the epoch. */
	private static final long TODAY = 60_000_000_000L;

	private static final long LASTS = 2000;

	private static RedisFixture fixture;

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final LimitStore store = before(fixture.store(this.clock::get));

	@BeforeAll
	static void connect() {
		fixture = RedisFixture.connected(TestRedis.shared());
	}

	@AfterAll
	static void disconnect() {
		fixture.close();
	}

	LimitStore before(LimitStore redis) {
		return redis;
	}

	@Override
	public LimitStore store() {
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

	private static BucketFamily family(String algorithm) {
		return Demands.family("lent", new Limit(algorithm, 2000, Duration.ofMinutes(1), 2000));
	}

	private static Charge borrowing(BucketFamily family, long cost, String borrower, long units, long held) {
		return Demands.charge(family, "ann", 1).borrowing(cost, new LeaseRequest(borrower, units, held, LASTS));
	}

	private long lent(BucketFamily family, long cost, String borrower, long units) {
		return ask(borrowing(family, cost, borrower, units, 0)).charge(0).lent();
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void whatIsLentIsUsed(String algorithm) {
		BucketFamily family = family(algorithm);
		AcquireResult answer = ask(borrowing(family, 3, "a", 20, 0));
		assertThat(answer.admitted()).isTrue();
		assertThat(answer.charge(0).lent()).isEqualTo(20);
		assertThat(answer.verdicts().get(0).remaining()).isEqualTo(1997);
		assertThat(remaining(family, "ann")).isEqualTo(1977);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void allBorrowersTogetherHoldATwentieth(String algorithm) {
		BucketFamily family = family(algorithm);
		for (String borrower : List.of("a", "b", "c", "d")) {
			assertThat(lent(family, 1, borrower, 1000)).isEqualTo(25);
		}
		assertThat(lent(family, 1, "e", 1000)).isZero();
		assertThat(ask(borrowing(family, 1, "a", 1000, 5)).charge(0).lent()).as("a fifth, of which 5 are held")
			.isEqualTo(15);
		assertThat(lent(family, 1, "e", 1000)).as("what a has not").isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void whatIsLeftIsDividedByTheBorrowers(String algorithm) {
		BucketFamily family = family(algorithm);
		ask(Demands.charge(family, "ann", 1980));
		assertThat(lent(family, 0, "a", 8)).isEqualTo(8);
		assertThat(lent(family, 0, "b", 1000)).as("half of 12").isEqualTo(6);
	}

	@Test
	void anEmptyBucketLendsNothing() {
		BucketFamily family = family("fixed-window");
		ask(Demands.charge(family, "ann", 1999));
		AcquireResult last = ask(borrowing(family, 1, "a", 10, 0));
		assertThat(last.admitted()).isTrue();
		assertThat(last.charge(0).lent()).isZero();
		AcquireResult refused = ask(borrowing(family, 1, "a", 10, 0));
		assertThat(refused.admitted()).isFalse();
		assertThat(refused.charge(0).lent()).isZero();
	}

	@Test
	void aRefusalLendsNothingOfAnyBucket() {
		BucketFamily full = family("token-bucket");
		BucketFamily empty = Demands.family("empty", new Limit("fixed-window", 1, Duration.ofMinutes(1), 1));
		ask(Demands.charge(empty, "ann", 1));
		long before = remembered();
		AcquireResult refused = ask(borrowing(full, 1, "a", 10, 0), Demands.charge(empty, "ann", 1));
		assertThat(refused.admitted()).isFalse();
		assertThat(refused.charge(0).lent()).isZero();
		assertThat(remembered()).isEqualTo(before);
		assertThat(remaining(full, "ann")).isEqualTo(2000);
	}

	@Test
	void aDemandTakesEverythingAndBorrowsWhereItAsks() {
		BucketFamily lent = family("token-bucket");
		BucketFamily logged = Demands.family("logged", new Limit("sliding-log", 10, Duration.ofMinutes(1), 10));
		BucketFamily watched = Demands.family("watched", new Limit("fixed-window", 1, Duration.ofMinutes(1), 1));
		AcquireResult answer = ask(Demands.charge(logged, "ann", 2), borrowing(lent, 1, "a", 10, 0),
				Demands.shadow(watched, "ann", 5));
		assertThat(answer.admitted()).isTrue();
		assertThat(new long[] { answer.charge(0).lent(), answer.charge(1).lent(), answer.charge(2).lent() })
			.containsExactly(0, 10, 0);
		assertThat(answer.verdicts()).extracting((verdict) -> verdict.outcome().name())
			.containsExactly("ALLOWED", "ALLOWED", "SHADOW_DENIED");
		assertThat(remaining(logged, "ann")).isEqualTo(8);
	}

	@Test
	void whoeverAnswersForALateAnswerGivesBackTheLoanToo() {
		BucketFamily family = family("fixed-window");
		this.store.release(ask(borrowing(family, 2, "a", 10, 0))).join();
		assertThat(remaining(family, "ann")).isEqualTo(2000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void whatIsLeftOfALoanIsGivenBackOnce(String algorithm) {
		BucketFamily family = family(algorithm);
		AcquireResult answer = ask(borrowing(family, 1, "a", 20, 0));
		LeaseReturn left = new LeaseReturn(new Bucket(family, "ann"), "a", answer.charge(0).takenAtMillis(), 15, LASTS);
		assertThat(this.store.giveBack(left).join()).isEqualTo(15);
		assertThat(remaining(family, "ann")).isEqualTo(1994);
		assertThat(this.store.giveBack(left).join()).isZero();
		assertThat(remaining(family, "ann")).isEqualTo(1994);
		assertThat(lent(family, 0, "b", 1000)).as("nobody else holds units").isEqualTo(25);
	}

	@Test
	void neverMoreIsGivenBackThanWasLent() {
		BucketFamily family = family("fixed-window");
		AcquireResult answer = ask(borrowing(family, 10, "a", 20, 0));
		assertThat(this.store
			.giveBack(new LeaseReturn(new Bucket(family, "ann"), "a", answer.charge(0).takenAtMillis(), 1000, LASTS))
			.join()).isEqualTo(20);
		assertThat(remaining(family, "ann")).isEqualTo(1990);
	}

	@Test
	void whatComesTooLateIsWrittenOff() {
		BucketFamily family = family("fixed-window");
		AcquireResult answer = ask(borrowing(family, 1, "a", 20, 0));
		at(LASTS);
		assertThat(this.store
			.giveBack(new LeaseReturn(new Bucket(family, "ann"), "a", answer.charge(0).takenAtMillis(), 20, LASTS))
			.join()).isZero();
		assertThat(remaining(family, "ann")).isEqualTo(1979);
		assertThat(lent(family, 0, "b", 1000)).as("nobody else holds units").isEqualTo(25);
	}

	@Test
	void nothingIsCreatedByGivingBack() {
		BucketFamily family = family("token-bucket");
		AcquireResult answer = ask(borrowing(family, 1, "a", 20, 0));
		this.store.reset(List.of(new Bucket(family, "ann"))).join();
		this.store
			.giveBack(new LeaseReturn(new Bucket(family, "ann"), "a", answer.charge(0).takenAtMillis(), 20, LASTS))
			.join();
		assertThat(remaining(family, "ann")).isEqualTo(2000);
	}

	@Test
	void allThatIsKeptExpires() {
		ask(borrowing(family("token-bucket"), 1, "a", 20, 0));
		assertThat(remembered()).isEqualTo(2);
		for (String key : TestRedis.shared().keys("*")) {
			assertThat(Long.parseLong(TestRedis.shared().command("PTTL", key))).isPositive();
		}
	}

}
