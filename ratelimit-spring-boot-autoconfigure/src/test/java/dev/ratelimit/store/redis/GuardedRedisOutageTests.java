package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.guard.StoreHealth;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.redis.TestRedis;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a real server behind the guard that stops responding or dies.
 */
@Tag("redis")
class GuardedRedisOutageTests {

	private static final Duration DEADLINE = Duration.ofMillis(50);

	private static final Duration PROBE_INTERVAL = Duration.ofMillis(500);

	private final TestRedis redis = TestRedis.start();

	private final RedisFixture fixture = new RedisFixture(this.redis);

	private final RedisLimitStore remote = this.fixture.store();

	private final List<StoreStateEvent> events = new CopyOnWriteArrayList<>();

	private final GuardedLimitStore store = Guards.of(this.remote, this.remote, PROBE_INTERVAL, this.events::add);

	private final BucketFamily family = Demands.perMinute("outage", 1);

	@AfterEach
	void close() {
		this.store.close();
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void aServerThatStopsAnsweringCostsADeadlineUntilTheBreakerOpensAndNothingAfter() throws Exception {
		start();
		this.redis.pause();
		List<Duration> waits = new ArrayList<>();
		while (this.store.status().circuit() == State.CLOSED && waits.size() < 40) {
			long start = System.nanoTime();
			assertThatIsFallback(tryAcquire(Demands.charge(this.family, "open-" + waits.size(), 1)), Outcome.ALLOWED);
			Duration wait = Duration.ofNanos(System.nanoTime() - start);
			if (this.store.status().circuit() == State.CLOSED) {
				waits.add(wait);
			}
		}
		// Calls that this instance delays count after one second without a reply of
		// Redis.
		assertThat(waits).hasSizeLessThan(40).allMatch((wait) -> wait.compareTo(DEADLINE) >= 0);
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.DEGRADED);
		for (int i = 0; i < 100; i++) {
			assertThat(this.store.acquire(Demands.of(Demands.closed(this.family, "closed-" + i, 1))))
				.isCompletedWithValueMatching((answer) -> answer.source() == Source.FALLBACK && !answer.allowed());
		}
		// On a busy machine, this instance itself delays the first calls.
		assertThat(this.store.status().errors(Kind.TIMEOUT) + this.store.status().errors(Kind.STARVED))
			.isGreaterThanOrEqualTo(waits.size());
		this.redis.resume();
		assertThatRecovers();
		assertThatCountsExactly();
	}

	@Test
	void aServerThatDiesIsAnsweredForAtOnceAndCountsAgainWhenItIsBack() throws Exception {
		start();
		this.redis.kill();
		for (int i = 0; i < 30; i++) {
			assertThatIsFallback(tryAcquire(Demands.charge(this.family, "open-" + i, 1)), Outcome.ALLOWED);
		}
		assertThat(this.store.status().circuit()).isEqualTo(State.OPEN);
		this.redis.restart();
		assertThatRecovers();
		assertThatCountsExactly();
	}

	@Test
	void anInstanceWithoutRequestsNoticesThatTheServerHasEnded() throws Exception {
		start();
		this.redis.kill();
		Awaitility.await().until(() -> this.store.status().circuit() == State.OPEN);
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.DEGRADED);
		this.redis.restart();
		assertThatRecovers();
	}

	private void start() throws Exception {
		this.fixture.connected();
		this.store.start(Duration.ofSeconds(5));
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.UP);
		// The first calls load classes and scripts, so they get more time.
		AcquireResult first = this.store
			.acquire(Demands.of(Demands.charge(this.family, "first", 1), Demands.charge(this.family, "second", 1)))
			.get(5, TimeUnit.SECONDS);
		assertThat(first.source()).isEqualTo(Source.REMOTE);
	}

	// A probe that was pending at the end of the outage may have to time out first.
	private void assertThatRecovers() {
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.UP);
		assertThat(this.store.status().circuit()).isEqualTo(State.CLOSED);
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.events).extracting(StoreStateEvent::available).containsExactly(false, true));
	}

	private void assertThatCountsExactly() throws Exception {
		BucketFamily fresh = Demands.perDay("fresh", 50);
		int allowed = 0;
		for (int i = 0; i < 100; i++) {
			AcquireResult answer = this.store.acquire(Demands.of(Demands.charge(fresh, "ann", 1)))
				.get(5, TimeUnit.SECONDS);
			assertThat(answer.source()).isEqualTo(Source.REMOTE);
			allowed += (answer.allowed()) ? 1 : 0;
		}
		assertThat(allowed).isEqualTo(50);
	}

	private AcquireResult tryAcquire(Charge charge) throws Exception {
		return this.store.acquire(Demands.within(DEADLINE, charge)).get(5, TimeUnit.SECONDS);
	}

	private static void assertThatIsFallback(AcquireResult answer, Outcome outcome) {
		assertThat(answer.source()).isEqualTo(Source.FALLBACK);
		assertThat(answer.verdicts()).singleElement().satisfies((verdict) -> {
			assertThat(verdict.outcome()).isEqualTo(outcome);
			assertThat(answer.allowed()).isEqualTo(outcome.passes());
		});
	}

}
