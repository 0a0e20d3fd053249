package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.Parallel;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests when the guard stops calling the store and when it resumes.
 */
class StoreBreakerTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final StubStore stub = new StubStore();

	private final List<StoreStateEvent> events = new CopyOnWriteArrayList<>();

	private final GuardedLimitStore store = Guards.of(this.stub, this.stub, Duration.ofMillis(20), this.events::add);

	private final AcquireRequest demand = Demands.of(Demands.charge(Demands.perMinute("guarded", 10), "ann", 1));

	@AfterEach
	void close() {
		this.store.close();
	}

	@Test
	void openCircuitStopsCallsToTheStore() {
		this.stub.checkFails(Kind.CONNECTION);
		this.stub.fails(Kind.CONNECTION);
		tryAcquire(10);
		assertThat(this.store.status().circuit()).isEqualTo(State.OPEN);
		assertThat(this.stub.calls).hasValue(10);
		assertThat(tryAcquire(100)).allMatch((answer) -> answer.source() == Source.FALLBACK);
		assertThat(this.stub.calls).hasValue(10);
		assertThat(this.store.status().errors(Kind.CONNECTION)).as("and those of the probe").isGreaterThanOrEqualTo(10);
	}

	@Test
	void oneCallWithoutAResponseIsFollowedByAProbe() {
		CountDownLatch looked = new CountDownLatch(1);
		StubStore held = new StubStore() {

			@Override
			public void check(String node, Duration timeout) {
				if (this.checks.get() > 0) {
					await(looked);
				}
				super.check(node, timeout);
			}

		};
		try (GuardedLimitStore probed = Guards.of(held, held, Duration.ofMillis(20), this.events::add)) {
			assertThat(probed.start(TIMEOUT)).isEmpty();
			held.checkFails(Kind.CONNECTION);
			held.fails(Kind.CONNECTION);
			tryAcquire(probed, 1);
			assertThat(probed.status().circuit()).isEqualTo(State.CLOSED);
			looked.countDown();
			Awaitility.await().until(() -> probed.status().circuit() == State.OPEN);
			assertThat(held.calls).hasValue(1);
		}
	}

	@Test
	void anErrorIsAResponseAndIsNotFollowedByAProbe() {
		this.store.start(TIMEOUT);
		int before = this.stub.checks.get();
		this.stub.fails(Kind.SCRIPT);
		tryAcquire(1);
		Awaitility.await()
			.during(Duration.ofMillis(1300))
			.atMost(Duration.ofSeconds(10))
			.until(() -> this.stub.checks.get() == before);
	}

	@Test
	void bucketsThatAClusterIsMovingDoNotOpenTheBreaker() {
		this.store.start(TIMEOUT);
		this.stub.fails(Kind.MIGRATING);
		assertThat(tryAcquire(100)).allMatch((answer) -> answer.source() == Source.FALLBACK);
		assertThat(this.stub.calls).hasValue(100);
		assertThat(this.store.status().circuit()).isEqualTo(State.CLOSED);
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.UP);
		assertThat(this.store.status().errors(Kind.MIGRATING)).isEqualTo(100);
		assertThat(this.events).isEmpty();
	}

	@Test
	void anOpenBreakerStillGoesByEachRulesPolicy() {
		this.stub.checkFails(Kind.CONNECTION);
		this.stub.fails(Kind.CONNECTION);
		tryAcquire(10);
		AcquireRequest closed = Demands.of(Demands.closed(Demands.perMinute("login", 10), "ann", 1));
		AcquireResult answer = this.store.acquire(closed).join();
		assertThat(answer.allowed()).isFalse();
		assertThat(answer.verdicts().get(0).outcome()).isEqualTo(Outcome.FAILED_CLOSED);
	}

	@Test
	void aFewFailuresAmongAnswersDoNotOpenTheBreaker() {
		for (int i = 0; i < 50; i++) {
			this.stub.answers(StubStore.admitting(this.demand));
			tryAcquire(3);
			this.stub.fails(Kind.TIMEOUT);
			tryAcquire(1);
		}
		assertThat(this.store.status().circuit()).isEqualTo(State.CLOSED);
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.UP);
		assertThat(this.events).isEmpty();
	}

	@Test
	void onlyAProbeClosesTheBreaker() {
		this.stub.checkFails(Kind.CONNECTION);
		assertThat(this.store.start(TIMEOUT)).isPresent();
		this.stub.answers(StubStore.admitting(this.demand));
		int before = this.stub.checks.get();
		Awaitility.await().until(() -> this.stub.checks.get() > before + 3);
		tryAcquire(50);
		assertThat(this.stub.calls).hasValue(0);
		this.stub.checkSucceeds();
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.UP);
		assertThat(this.store.status().circuit()).isEqualTo(State.CLOSED);
		assertThat(tryAcquire(1)).allMatch((answer) -> answer.source() == Source.REMOTE);
	}

	@ParameterizedTest
	@EnumSource(names = { "TIMEOUT", "CONNECTION" })
	void aFirstProbeThatMayFailByChanceIsTriedAgain(Kind kind) {
		StubStore cold = new StubStore() {

			@Override
			public void check(String node, Duration timeout) {
				super.check(node, timeout);
				if (this.checks.get() == 1) {
					throw new StoreException(kind, "no connection yet", null);
				}
			}

		};
		try (GuardedLimitStore first = Guards.of(cold, cold, Duration.ofMinutes(10), this.events::add)) {
			assertThat(first.start(TIMEOUT)).isEmpty();
			assertThat(first.status().health()).isEqualTo(StoreHealth.UP);
		}
	}

	@Test
	void aStoreThatWorksIsNotProbed() {
		assertThat(this.store.start(TIMEOUT)).isEmpty();
		Awaitility.await().during(Duration.ofMillis(100)).until(() -> this.stub.checks.get() == 1);
		this.stub.fails(Kind.CONNECTION);
		tryAcquire(10);
		Awaitility.await().until(() -> this.stub.checks.get() > 1 && this.store.status().circuit() == State.CLOSED);
		AtomicInteger before = new AtomicInteger();
		// A probe may still be running.
		Awaitility.await()
			.pollInterval(Duration.ofMillis(100))
			.until(() -> before.getAndSet(this.stub.checks.get()) == this.stub.checks.get());
	}

	@Test
	void aBreakerThatOpensIsProbedAtOnceUnlessItHasJustClosed() {
		try (GuardedLimitStore slow = Guards.of(this.stub, this.stub, Duration.ofMinutes(10), this.events::add)) {
			this.stub.fails(Kind.CONNECTION);
			tryAcquire(slow, 10);
			Awaitility.await().until(() -> slow.status().circuit() == State.CLOSED);
			assertThat(this.stub.checks).hasValue(1);
			tryAcquire(slow, 10);
			assertThat(slow.status().circuit()).isEqualTo(State.OPEN);
			Awaitility.await().during(Duration.ofMillis(100)).until(() -> this.stub.checks.get() == 1);
		}
	}

	@Test
	void aSuccessThatCompletesAWindowOfFailuresOpensTheBreakerForTheProbeToClose() {
		this.store.start(TIMEOUT);
		this.stub.fails(Kind.CONNECTION);
		tryAcquire(9);
		assertThat(this.store.status().circuit()).isEqualTo(State.CLOSED);
		AcquireRequest demand = Demands.of(Demands.charge(Demands.perMinute("guarded", 10), "ann", 1));
		this.stub.answers(StubStore.admitting(demand));
		this.store.acquire(demand).join();
		Awaitility.await().until(() -> this.store.acquire(demand).join().source() == Source.REMOTE);
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.events).extracting(StoreStateEvent::available).containsExactly(false, true));
	}

	@Test
	void aFlipIsPublishedOnceHoweverManyNotice() {
		this.stub.checkFails(Kind.CONNECTION);
		this.stub.fails(Kind.CONNECTION);
		Parallel.run(16, (thread) -> tryAcquire(100));
		this.store.start(TIMEOUT);
		this.stub.checkSucceeds();
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.UP);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events).containsExactly(
					new StoreStateEvent("stub", "stub", false, "connection: as told"),
					new StoreStateEvent("stub", "stub", true, "it responds")));
	}

	@Test
	void eachFlipIsPublished() {
		this.store.start(TIMEOUT);
		for (int i = 1; i <= 5; i++) {
			int flips = 2 * i;
			this.stub.fails(Kind.TIMEOUT);
			tryAcquire(20);
			Awaitility.await().until(() -> this.events.size() >= flips);
			Awaitility.await().until(() -> this.store.status().health() == StoreHealth.UP);
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events).extracting(StoreStateEvent::available)
				.startsWith(false, true, false, true, false, true, false, true, false, true));
	}

	@Test
	void anUnavailableStoreIsDegradedAndAWrongOneIsDown() {
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.UP);
		this.stub.checkFails(Kind.TIMEOUT);
		this.store.start(TIMEOUT);
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.DEGRADED);
		this.stub.checkFails(Kind.SCRIPT);
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.DOWN);
		this.stub.checkSucceeds();
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.UP);
	}

	@Test
	void demandsThatAreAllRejectedAsWrongTurnTheStoreDown() {
		this.stub.fails(Kind.SCRIPT);
		tryAcquire(10);
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.DOWN);
	}

	@Test
	void startReturnsWhatTheFirstCheckFailedWith() {
		StoreException failure = new StoreException(Kind.CONNECTION, "nobody there", null);
		this.stub.checkFails(failure);
		assertThat(this.store.start(TIMEOUT)).containsSame(failure);
		assertThat(this.store.status().circuit()).isEqualTo(State.OPEN);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events)
				.containsExactly(new StoreStateEvent("stub", "stub", false, "connection: nobody there")));
	}

	@Test
	void startWaitsNoLongerThanItsTimeout() {
		GuardedLimitStore slow = Guards.of(this.stub, Guards.node("stub", this::waitForEver), Duration.ofSeconds(1),
				this.events::add);
		try (slow) {
			// The start may end before its thread knows the nodes.
			slow.acquire(this.demand);
			Optional<StoreException> failure = slow.start(Duration.ofMillis(50));
			assertThat(failure).hasValueSatisfying((ex) -> assertThat(ex.kind()).isEqualTo(Kind.TIMEOUT));
			assertThat(slow.status().circuit()).isEqualTo(State.OPEN);
		}
	}

	private void waitForEver() {
		await(new CountDownLatch(1));
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new StoreException(Kind.TIMEOUT, "interrupted", ex);
		}
	}

	private List<AcquireResult> tryAcquire(int times) {
		return tryAcquire(this.store, times);
	}

	private List<AcquireResult> tryAcquire(GuardedLimitStore which, int times) {
		return Stream.generate(() -> which.acquire(this.demand).join()).limit(times).toList();
	}

}
