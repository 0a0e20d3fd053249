package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestRedis;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that Redis is charged, after it responds again, for requests that a failure
 * policy allowed and that Redis certainly did not charge.
 */
@Tag("redis")
class DebtTests {

	private static final Duration DEADLINE = Duration.ofMillis(50);

	private static final Duration SOON = Duration.ofSeconds(5);

	/** The time after which a double charge or refund is visible. */
	private static final Duration SETTLED = Duration.ofMillis(500);

	private static final Duration LATEST = Duration.ofSeconds(30);

	private final TestRedis redis = TestRedis.start();

	private final FaultProxy proxy = FaultProxy.to(this.redis.host(), this.redis.port());

	private final RedisFixture fixture = new RedisFixture(this.proxy);

	private final RedisLimitStore remote = this.fixture.store();

	private final GuardedLimitStore store = Guards.of(this.remote, this.remote, Duration.ofMillis(200), (event) -> {
	});

	/** One limit of each algorithm, without a refill during a test. */
	private final List<BucketFamily> families = families(Duration.ofDays(30));

	@BeforeEach
	void start() {
		this.fixture.connected();
		this.store.start(Duration.ofSeconds(5));
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.UP);
		assertThat(used("warm")).containsOnly(0L);
	}

	@AfterEach
	void close() {
		this.store.close();
		this.fixture.close();
		this.proxy.close();
		this.redis.close();
	}

	@Test
	void lateDebtOfStalledServerIsChargedAfterRecovery() throws Exception {
		this.redis.pause();
		allowHere("ann", 4);
		this.redis.resume();
		assertThatIsCharged("ann", 4);
	}

	@Test
	void unsentDebtIsChargedAfterRestart() throws Exception {
		this.redis.kill();
		openTheCircuit();
		allowHere("ann", 7);
		this.redis.restart();
		assertThatIsCharged("ann", 7);
	}

	@Test
	void chargeWithLateReplyIsChargedOnce() {
		this.proxy.stallReplies();
		allowHere("ann", 3);
		this.proxy.heal();
		assertThatIsCharged("ann", 3);
	}

	@Test
	void aDebtIsAtMostOneCapacity() throws Exception {
		this.redis.kill();
		openTheCircuit();
		for (BucketFamily family : this.families) {
			assertThat(tryAcquire(family, "bob", 10).allowed()).isTrue();
			assertThat(tryAcquire(family, "bob", 1).allowed()).isFalse();
		}
		this.redis.restart();
		assertThatIsCharged("bob", 10);
	}

	@Test
	void refundedUnitsAreNotCharged() throws Exception {
		this.redis.kill();
		openTheCircuit();
		for (BucketFamily family : this.families) {
			AcquireResult refunded = tryAcquire(family, "ann", 4);
			assertThat(tryAcquire(family, "ann", 3).allowed()).isTrue();
			this.store.release(refunded).join();
		}
		this.redis.restart();
		assertThatIsCharged("ann", 3);
	}

	@Test
	void refundAfterRecoveryReachesRedis() throws Exception {
		this.redis.kill();
		openTheCircuit();
		List<AcquireResult> refunded = this.families.stream().map((family) -> tryAcquire(family, "ann", 4)).toList();
		allowHere("ann", 1);
		this.redis.restart();
		assertThatIsCharged("ann", 5);
		refunded.forEach((result) -> this.store.release(result).join());
		assertThatIsCharged("ann", 1);
	}

	@Test
	void aResetForgetsDebts() throws Exception {
		this.redis.kill();
		openTheCircuit();
		allowHere("ann", 4);
		allowHere("bob", 2);
		for (BucketFamily family : this.families) {
			this.store.reset(List.of(new Bucket(family, "ann"))).exceptionally((failure) -> null).join();
		}
		this.redis.restart();
		assertThatIsCharged("bob", 2);
		assertThat(used("ann")).containsOnly(0L);
	}

	@Test
	void aChargeWhoseReplyWasLostIsNotChargedAgain() {
		BucketFamily probed = this.families.stream()
			.filter((family) -> family.algorithm().equals(Algorithms.DEFAULT))
			.findFirst()
			.orElseThrow();
		this.proxy.muteReplies();
		// The deadline is long, because the server does not charge after it.
		assertThat(tryAcquire(Duration.ofSeconds(2), probed, "ann", 2).source()).isEqualTo(Source.FALLBACK);
		this.proxy.heal();
		Awaitility.await().until(() -> tryAcquire(probed, "bob", 1).source() == Source.REMOTE);
		// A call that is not sent shows that debts are charged.
		tryAcquire(Duration.ofMinutes(-1), probed, "carol", 1);
		Awaitility.await().until(() -> used(probed, "carol") == 1);
		Awaitility.await().during(SETTLED).atMost(LATEST).until(() -> used(probed, "ann") == 2);
	}

	@Test
	void aClientThatWaitsAsLongAsItWasToldIsAllowed() throws Exception {
		List<BucketFamily> quick = families(Duration.ofSeconds(3));
		this.redis.kill();
		openTheCircuit();
		Map<BucketFamily, Long> admissibleNanos = new LinkedHashMap<>();
		for (BucketFamily family : quick) {
			Verdict rejected = untilRejected(family);
			admissibleNanos.put(family, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(rejected.retryAfterMillis()));
		}
		allowHere("bob", 1);
		this.redis.restart();
		assertThatIsCharged("bob", 1);
		for (Map.Entry<BucketFamily, Long> told : admissibleNanos.entrySet()) {
			TimeUnit.NANOSECONDS.sleep(told.getValue() - System.nanoTime());
			assertThat(remote(told.getKey(), "ann", 10).allowed()).as(told.getKey().algorithm()).isTrue();
		}
	}

	@Test
	void refilledUnitsAreNotCharged() throws Exception {
		List<BucketFamily> quick = families(Duration.ofMillis(400));
		this.redis.kill();
		openTheCircuit();
		for (BucketFamily family : quick) {
			assertThat(tryAcquire(family, "ann", 10).allowed()).isTrue();
		}
		allowHere("bob", 1);
		for (BucketFamily family : quick) {
			Awaitility.await().until(() -> tryAcquire(family, "ann", 0).verdicts().get(0).remaining() == 10);
		}
		this.redis.restart();
		assertThatIsCharged("bob", 1);
		assertThat(this.redis.command("KEYS", "*quick*")).isEmpty();
	}

	@Test
	void expiredDebtIsNotCharged() throws Exception {
		this.redis.pause();
		List<CompletableFuture<Settlement>> charges = this.families.stream()
			.map((family) -> this.remote.charge(late(family, DEADLINE)))
			.toList();
		assertThat(charges).noneMatch(CompletableFuture::isDone);
		TimeUnit.NANOSECONDS.sleep(2 * DEADLINE.toNanos());
		this.redis.resume();
		assertThat(charges).allSatisfy((charge) -> assertThat(charge).failsWithin(SOON)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class, (failure) -> assertThat(failure.isUncharged()).isTrue()));
		assertThat(used("ann")).containsOnly(0L);
	}

	@Test
	void aServerWhoseClockIsNotKnownIsChargedOnceItIs() {
		RedisLimitStore fresh = this.fixture.store();
		assertThat(fresh.clockSkewMillis()).isEmpty();
		this.families.forEach((family) -> assertThat(fresh.charge(late(family, SOON))).succeedsWithin(SOON));
		assertThat(used("ann")).containsOnly(4L);
	}

	@Test
	void aServerWhoseClockWasSetForwardIsCharged() {
		ServerClock clock = this.remote.servers().clock("redis");
		clock.reset(clock.nowMillis() - 3_600_000, System.nanoTime());
		this.families.forEach((family) -> assertThat(this.remote.charge(late(family, SOON))).succeedsWithin(SOON));
		assertThat(used("ann")).containsOnly(4L);
	}

	private static LateCharge late(BucketFamily family, Duration deadline) {
		return new LateCharge(new Settlement(new Bucket(family, "ann"), 0, 4), System.nanoTime(),
				System.nanoTime() + deadline.toNanos());
	}

	// Send requests until one is rejected, because a window may end between two requests.
	private Verdict untilRejected(BucketFamily family) {
		AcquireResult result = tryAcquire(family, "ann", 10);
		assertThat(result.allowed()).isTrue();
		while (result.allowed()) {
			result = tryAcquire(family, "ann", 10);
		}
		return result.verdicts().get(0);
	}

	private static List<BucketFamily> families(Duration period) {
		return Algorithms.ids()
			.stream()
			.filter((algorithm) -> !algorithm.equals("concurrency"))
			.map((algorithm) -> Demands.family(((period.toDays() > 0) ? "debt-" : "quick-") + algorithm,
					new Limit(algorithm, 10, period, 10)))
			.toList();
	}

	private void openTheCircuit() {
		Awaitility.await().pollInterval(Duration.ofMillis(1)).atMost(SOON).until(() -> {
			tryAcquire(this.families.get(0), "open", 1);
			return this.store.status().circuit() == State.OPEN;
		});
	}

	private void allowHere(String subject, int count) {
		List<CompletableFuture<AcquireResult>> results = new ArrayList<>();
		for (BucketFamily family : this.families) {
			for (int i = 0; i < count; i++) {
				results.add(this.store.acquire(Demands.within(DEADLINE, Demands.charge(family, subject, 1))));
			}
		}
		assertThat(results).allSatisfy((result) -> {
			AcquireResult allowed = result.get(5, TimeUnit.SECONDS);
			assertThat(allowed.allowed()).isTrue();
			assertThat(allowed.source()).isEqualTo(Source.FALLBACK);
		});
	}

	private void assertThatIsCharged(String subject, long units) {
		Awaitility.await()
			.during(SETTLED)
			.atMost(LATEST)
			.untilAsserted(() -> assertThat(used(subject))
				.as(this.families.stream().map(BucketFamily::algorithm).toList().toString())
				.containsOnly(units));
	}

	private List<Long> used(String subject) {
		return this.families.stream().map((family) -> used(family, subject)).toList();
	}

	// Read usage without the guard, so that this call does not show the guard that Redis
	// responds.
	private long used(BucketFamily family, String subject) {
		return this.remote.acquire(Demands.of(Demands.charge(family, subject, 0)))
			.handle((result, failure) -> (failure != null) ? -1 : 10 - result.verdicts().get(0).remaining())
			.orTimeout(5, TimeUnit.SECONDS)
			.exceptionally((failure) -> -1L)
			.join();
	}

	private AcquireResult remote(BucketFamily family, String subject, long cost) {
		return this.remote.acquire(Demands.of(Demands.charge(family, subject, cost)))
			.orTimeout(5, TimeUnit.SECONDS)
			.join();
	}

	private AcquireResult tryAcquire(BucketFamily family, String subject, long cost) {
		return tryAcquire(DEADLINE, family, subject, cost);
	}

	private AcquireResult tryAcquire(Duration deadline, BucketFamily family, String subject, long cost) {
		return this.store.acquire(Demands.within(deadline, Demands.charge(family, subject, cost)))
			.orTimeout(5, TimeUnit.SECONDS)
			.join();
	}

}
