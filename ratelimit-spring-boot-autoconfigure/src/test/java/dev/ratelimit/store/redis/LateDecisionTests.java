package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests decisions that arrive after they are abandoned.
 */
@Tag("redis")
class LateDecisionTests {

	private static final Duration DEADLINE = Duration.ofMillis(100);

	private final TestRedis redis = TestRedis.start();

	private final FaultProxy proxy = FaultProxy.to(this.redis.host(), this.redis.port());

	private final RedisFixture fixture = new RedisFixture(this.proxy);

	private final RedisLimitStore store = this.fixture.store();

	private final BucketFamily family = Demands.perDay("late", 100);

	@BeforeEach
	void connect() {
		this.fixture.connected();
		RedisFixture.check(this.store);
		assertThat(remaining("warm")).isEqualTo(100);
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.proxy.close();
		this.redis.close();
	}

	@Test
	void lateScriptOfStalledServerChargesNothing() throws Exception {
		this.redis.pause();
		List<CompletableFuture<AcquireResult>> answers = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			answers.add(this.store.acquire(demand("ann", 1)));
		}
		assertThat(answers).noneMatch(CompletableFuture::isDone);
		TimeUnit.NANOSECONDS.sleep(2 * DEADLINE.toNanos());
		this.redis.resume();
		assertThat(answers).allSatisfy((answer) -> assertThat(kind(answer)).isEqualTo(Kind.TIMEOUT));
		assertThat(remaining("ann")).isEqualTo(100);
	}

	@Test
	void aJointDecisionIsLateLikeAnyOther() throws Exception {
		Charge watching = Demands.shadow(this.family, "bob", 1);
		this.redis.pause();
		CompletableFuture<AcquireResult> answer = this.store
			.acquire(Demands.within(DEADLINE, Demands.charge(this.family, "ann", 1), watching));
		TimeUnit.NANOSECONDS.sleep(2 * DEADLINE.toNanos());
		this.redis.resume();
		assertThat(kind(answer)).isEqualTo(Kind.TIMEOUT);
		assertThat(remaining("ann")).isEqualTo(100);
	}

	@Test
	void chargeOfRequestRejectedMeanwhileIsRefunded() {
		try (GuardedLimitStore guarded = guarded()) {
			// The server knows the script.
			guarded.acquire(Demands.within(Duration.ofSeconds(5), Demands.closed(this.family, "bob", 5))).join();
			this.proxy.stallReplies();
			Duration deadline = Duration.ofMillis(800);
			AcquireResult answer = guarded.acquire(Demands.within(deadline, Demands.closed(this.family, "ann", 5)))
				.join();
			assertThat(answer.source()).isEqualTo(Source.FALLBACK);
			assertThat(answer.allowed()).isFalse();
			Awaitility.await().until(() -> this.redis.command("KEYS", "*ann*").contains("ann"));
			this.proxy.heal();
			// A full bucket has no key.
			Awaitility.await().until(() -> !this.redis.command("KEYS", "*ann*").contains("ann"));
		}
	}

	@Test
	void aServerWhoseClockWasSetForwardCostsNoDecision() {
		ServerClock clock = this.store.servers().clock("redis");
		clock.reset(clock.nowMillis() - 3_600_000, System.nanoTime());
		AcquireResult answer = this.store.acquire(Demands.of(Demands.charge(this.family, "ann", 1))).join();
		assertThat(answer.allowed()).isTrue();
		assertThat(remaining("ann")).isEqualTo(99);
	}

	@Test
	void aServerWhoseClockWasSetBackIsKnownAtTheNextReply() throws Exception {
		ServerClock clock = this.store.servers().clock("redis");
		clock.reset(clock.nowMillis() + 3_600_000, System.nanoTime());
		// The clock is learnt from the fastest of the replies.
		for (int i = 0; i < 10; i++) {
			this.store.acquire(Demands.of(Demands.charge(this.family, "bob", 1))).join();
		}
		lateScriptOfStalledServerChargesNothing();
	}

	@Test
	void aConnectionWhoseOtherEndIsGoneIsReplacedByTheProbe() {
		try (GuardedLimitStore guarded = guarded()) {
			this.proxy.blackHole();
			for (int i = 0; i < 10; i++) {
				assertThat(guarded.acquire(demand("open", 1)).join().source()).isEqualTo(Source.FALLBACK);
			}
			this.proxy.heal();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> guarded.acquire(demand("ann", 1)).join().source() == Source.REMOTE);
			Awaitility.await().until(() -> this.redis.command("CLIENT", "LIST").lines().count() <= 4);
		}
	}

	private GuardedLimitStore guarded() {
		GuardedLimitStore guarded = Guards.of((StoreStage) this.store, this.store, Duration.ofMillis(200), (event) -> {
		});
		guarded.start(Duration.ofSeconds(5));
		Awaitility.await().until(() -> guarded.status().health() == StoreHealth.UP);
		return guarded;
	}

	private AcquireRequest demand(String subject, long cost) {
		return Demands.within(DEADLINE, Demands.charge(this.family, subject, cost));
	}

	private long remaining(String subject) {
		return this.store.acquire(Demands.of(Demands.charge(this.family, subject, 0)))
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

	private static Kind kind(CompletableFuture<AcquireResult> answer) {
		try {
			answer.orTimeout(5, TimeUnit.SECONDS).join();
			throw new AssertionError("there is an answer");
		}
		catch (CompletionException ex) {
			return StoreException.of(ex).kind();
		}
	}

}
