package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.guard.GuardedLimitStore;
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
 * What a failure policy admitted, and Redis certainly did not charge, is charged once
 * Redis responds again.
 */
@Tag("redis")
class DebtTests {

	private static final Duration DEADLINE = Duration.ofMillis(50);

	private static final Duration SOON = Duration.ofSeconds(5);

	/** What is charged or refunded twice shows by then. */
	private static final Duration SETTLED = Duration.ofMillis(500);

	private static final Duration LATEST = SOON.plus(SETTLED);

	private final TestRedis redis = TestRedis.start();

	private final FaultProxy proxy = FaultProxy.to(this.redis.host(), this.redis.port());

	private final RedisFixture fixture = new RedisFixture(this.proxy);

	private final RedisLimitStore remote = this.fixture.store();

	private final GuardedLimitStore store = Guards.of(this.remote, this.remote, Duration.ofMillis(200), (event) -> {
	});

	/** Refills nothing during a test. */
	private final BucketFamily family = Demands.family("debt",
			new Limit(Algorithms.DEFAULT, 10, Duration.ofDays(1), 10));

	@BeforeEach
	void start() {
		this.fixture.connected();
		assertThat(this.store.start(Duration.ofSeconds(5))).isEmpty();
		assertThat(used("warm")).isZero();
	}

	@AfterEach
	void close() {
		this.store.close();
		this.fixture.close();
		this.proxy.close();
		this.redis.close();
	}

	@Test
	void whatAStalledServerFoundTooLateIsChargedOnceItResponds() throws Exception {
		this.redis.pause();
		admitHere("ann", 4);
		this.redis.resume();
		assertThatIsCharged("ann", 4);
	}

	@Test
	void whatWasNotSentIsChargedOnceTheServerIsBack() throws Exception {
		this.redis.kill();
		openTheCircuit();
		admitHere("ann", 7);
		this.redis.restart();
		assertThatIsCharged("ann", 7);
	}

	@Test
	void whatWasChargedAndAnsweredLateIsChargedOnce() {
		this.proxy.delay(DEADLINE.multipliedBy(3));
		admitHere("ann", 3);
		this.proxy.heal();
		assertThatIsCharged("ann", 3);
	}

	@Test
	void aDebtIsAtMostOneCapacity() throws Exception {
		this.store.acquire(Demands.of(charge("ann", 10))).join();
		this.redis.kill();
		openTheCircuit();
		assertThat(ask(charge("bob", 10)).admitted()).isTrue();
		assertThat(ask(charge("bob", 1)).admitted()).isFalse();
		this.redis.restart();
		assertThatIsCharged("bob", 10);
	}

	@Test
	void whatWasRefundedBeforeIsNotCharged() throws Exception {
		this.redis.kill();
		openTheCircuit();
		AcquireResult refunded = ask(charge("ann", 4));
		assertThat(ask(charge("ann", 3)).admitted()).isTrue();
		this.store.release(refunded).join();
		this.redis.restart();
		assertThatIsCharged("ann", 3);
	}

	@Test
	void whatIsRefundedAfterwardsIsRefundedInRedis() throws Exception {
		this.redis.kill();
		openTheCircuit();
		AcquireResult refunded = ask(charge("ann", 4));
		this.redis.restart();
		assertThatIsCharged("ann", 4);
		this.store.release(refunded).join();
		assertThatIsCharged("ann", 0);
	}

	@Test
	void aResetForgetsDebts() throws Exception {
		this.redis.kill();
		openTheCircuit();
		admitHere("ann", 4);
		admitHere("bob", 2);
		this.store.reset(List.of(new Bucket(this.family, "ann"))).exceptionally((failure) -> null).join();
		this.redis.restart();
		assertThatIsCharged("bob", 2);
		assertThat(used("ann")).isZero();
	}

	@Test
	void aChargeWhoseReplyWasLostIsNotChargedAgain() {
		this.proxy.muteReplies();
		AcquireResult lost = ask(charge("ann", 2));
		assertThat(lost.source()).isEqualTo(Source.FALLBACK);
		this.proxy.heal();
		Awaitility.await().atMost(SOON).until(() -> ask(charge("bob", 1)).source() == Source.REMOTE);
		assertThatIsCharged("ann", 2);
	}

	private void openTheCircuit() {
		Awaitility.await().pollInterval(Duration.ofMillis(1)).atMost(SOON).until(() -> {
			ask(charge("open", 1));
			return this.store.status().circuit() == State.OPEN;
		});
	}

	private void admitHere(String subject, int count) {
		List<CompletableFuture<AcquireResult>> results = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			results.add(this.store.acquire(Demands.within(DEADLINE, charge(subject, 1))));
		}
		assertThat(results).allSatisfy((result) -> {
			AcquireResult admitted = result.get(5, TimeUnit.SECONDS);
			assertThat(admitted.admitted()).isTrue();
			assertThat(admitted.source()).isEqualTo(Source.FALLBACK);
		});
	}

	private void assertThatIsCharged(String subject, long units) {
		Awaitility.await().during(SETTLED).atMost(LATEST).until(() -> used(subject) == units);
	}

	// By another way than the guard's, so that nothing here shows that Redis responds.
	private long used(String subject) {
		return this.remote.acquire(Demands.of(charge(subject, 0)))
			.handle((result, failure) -> (failure != null) ? -1 : 10 - result.verdicts().get(0).remaining())
			.orTimeout(5, TimeUnit.SECONDS)
			.exceptionally((failure) -> -1L)
			.join();
	}

	private AcquireResult ask(Charge charge) {
		return this.store.acquire(Demands.within(DEADLINE, charge)).orTimeout(5, TimeUnit.SECONDS).join();
	}

	private Charge charge(String subject, long cost) {
		return Demands.charge(this.family, subject, cost);
	}

}
