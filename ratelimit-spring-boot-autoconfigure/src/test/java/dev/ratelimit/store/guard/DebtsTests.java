package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Guards;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the charges that the guard makes later at a store that has not charged them.
 */
class DebtsTests {

	private static final Duration PROBE_INTERVAL = Duration.ofMillis(100);

	private final SettlingStore stub = new SettlingStore();

	private final GuardedLimitStore store = Guards.of(this.stub, this.stub, PROBE_INTERVAL, (event) -> {
	});

	/** A limit without a refill during a test. */
	private final BucketFamily family = Demands.family("debt",
			new Limit(Algorithms.DEFAULT, 10, Duration.ofDays(1), 10));

	@AfterEach
	void close() {
		this.store.close();
	}

	@Test
	void chargesOfOneBucketAreOneDebt() {
		// Nothing is charged between the two requests.
		this.stub.checkFails(Kind.CONNECTION);
		assertThat(this.store.start(Duration.ofSeconds(5))).isPresent();
		tryAcquire(Demands.charge(this.family, "ann", 2));
		tryAcquire(Demands.charge(this.family, "ann", 3));
		this.stub.checkSucceeds();
		assertThatIsCharged("ann 5");
	}

	@Test
	void nothingIsChargedThatMayHaveBeenCharged() {
		this.stub.fails(Kind.CONNECTION);
		assertThat(tryAcquire(Demands.charge(this.family, "ann", 2)).allowed()).isTrue();
		this.stub.answers(DebtsTests::uncharged);
		tryAcquire(Demands.charge(this.family, "bob", 1));
		assertThatIsCharged("bob 1");
	}

	@Test
	void nothingIsSentWhileTheCircuitIsOpen() {
		this.stub.checkFails(Kind.CONNECTION);
		assertThat(this.store.start(Duration.ofSeconds(5))).isPresent();
		assertThat(this.store.status().circuit()).isEqualTo(State.OPEN);
		tryAcquire(Demands.charge(this.family, "ann", 2));
		int checks = this.stub.checks.get();
		Awaitility.await().until(() -> this.stub.checks.get() > checks + 3);
		assertThat(this.stub.charged).isEmpty();
		this.stub.checkSucceeds();
		assertThatIsCharged("ann 2");
	}

	@Test
	void aDebtThatWasNotChargedIsSentAgainAndOneThatMayHaveBeenIsNot() throws InterruptedException {
		this.stub.settles(() -> failed(StoreException.uncharged(Kind.CONNECTION, "not sent", null)));
		this.stub.answers(DebtsTests::uncharged);
		tryAcquire(Demands.charge(this.family, "ann", 2));
		Awaitility.await().until(() -> this.stub.charged.size() >= 2);
		CountDownLatch replied = new CountDownLatch(1);
		this.stub.settles(() -> {
			replied.countDown();
			return failed(new StoreException(Kind.CONNECTION, "connection lost", null));
		});
		assertThat(replied.await(30, TimeUnit.SECONDS)).isTrue();
		int lost = this.stub.charged.size();
		this.stub.settles(() -> CompletableFuture.completedFuture(null));
		tryAcquire(Demands.charge(this.family, "bob", 1));
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.untilAsserted(() -> assertThat(this.stub.charged.subList(lost, this.stub.charged.size()))
				.containsExactly("bob 1"));
	}

	@Test
	void theFirstDebtsAreFewAndTheNextWaitForTheirReplies() {
		// The circuit may open again, and only a running probe closes it.
		assertThat(this.store.start(Duration.ofSeconds(5))).isEmpty();
		CompletableFuture<Void> reply = new CompletableFuture<>();
		this.stub.settles(() -> reply);
		this.stub.answers(DebtsTests::uncharged);
		List<String> all = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			tryAcquire(Demands.charge(this.family, "user-" + i, 1));
			all.add("user-" + i + " 1");
		}
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.stub.charged.size() == 1);
		reply.complete(null);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.stub.charged).containsExactlyInAnyOrderElementsOf(all));
	}

	@Test
	void unitsRefilledDuringOutageAreNotCharged() {
		BucketFamily quick = Demands.family("quick", new Limit(Algorithms.DEFAULT, 10, Duration.ofMillis(500), 10));
		this.stub.checkFails(Kind.CONNECTION);
		this.store.start(Duration.ofSeconds(5));
		tryAcquire(Demands.charge(quick, "ann", 10));
		Awaitility.await()
			.pollDelay(Duration.ofMillis(700))
			.until(() -> tryAcquire(Demands.charge(quick, "ann", 0)).allowed());
		tryAcquire(Demands.charge(this.family, "bob", 1));
		this.stub.checkSucceeds();
		assertThatIsCharged("bob 1");
	}

	@Test
	void slotsAndWhatARetryMayBeChargedForAreNotOwed() {
		BucketFamily slots = Demands.concurrent("slots", new Limit("concurrency", 10, Duration.ofMinutes(1), 10));
		this.stub.answers(DebtsTests::uncharged);
		tryAcquire(Demands.charge(slots, "ann", 1));
		AcquireRequest marked = new AcquireRequest(List.of(Demands.replayable(this.family, "carol", 4)),
				Optional.of(new ReplayMarker("carol", "a", 60_000, 3, 10)),
				System.nanoTime() + Duration.ofSeconds(5).toNanos());
		assertThat(this.store.acquire(marked).join().allowed()).isTrue();
		tryAcquire(Demands.charge(this.family, "bob", 1));
		assertThatIsCharged("bob 1");
	}

	@Test
	void aResetForgetsADebtThatIsUnderWay() {
		CompletableFuture<Void> reply = new CompletableFuture<>();
		this.stub.settles(() -> reply);
		this.stub.answers(DebtsTests::uncharged);
		tryAcquire(Demands.charge(this.family, "ann", 2));
		Awaitility.await().until(() -> this.stub.charged.contains("ann 2"));
		this.store.reset(List.of(new Bucket(this.family, "ann"))).exceptionally((failure) -> null).join();
		this.stub.settles(() -> CompletableFuture.completedFuture(null));
		reply.completeExceptionally(StoreException.uncharged(Kind.CONNECTION, "not sent", null));
		tryAcquire(Demands.charge(this.family, "bob", 1));
		assertThatIsCharged("ann 2", "bob 1");
	}

	@Test
	void aRefundOfADebtThatWasChargedIsNotTakenFromANewerDebt() {
		this.stub.answers(DebtsTests::uncharged);
		AcquireResult refunded = tryAcquire(Demands.charge(this.family, "ann", 5));
		Awaitility.await().until(() -> this.stub.charged.contains("ann 5"));
		this.stub.settles(() -> failed(StoreException.uncharged(Kind.CONNECTION, "not sent", null)));
		tryAcquire(Demands.charge(this.family, "ann", 3));
		this.store.release(refunded).exceptionally((failure) -> null).join();
		Awaitility.await().until(() -> this.stub.charged.contains("ann -5"));
		this.stub.settles(() -> CompletableFuture.completedFuture(null));
		Awaitility.await().until(() -> this.stub.charged.contains("ann 3"));
	}

	@Test
	void aStoreThatCannotChargeLateIsNotChargedForWindowsAndLogs() {
		BucketFamily log = Demands.family("log", new Limit("sliding-log", 10, Duration.ofDays(1), 10));
		this.stub.answers(DebtsTests::uncharged);
		tryAcquire(Demands.charge(log, "ann", 2));
		tryAcquire(Demands.charge(this.family, "bob", 1));
		assertThatIsCharged("bob 1");
	}

	@Test
	void aLateRejectionDoesNotUndoWhatWasAllowedHere() {
		CompletableFuture<AcquireResult> late = new CompletableFuture<>();
		this.stub.answers(() -> late);
		AcquireRequest request = Demands.within(Duration.ofMillis(50), Demands.charge(this.family, "ann", 3));
		assertThat(this.store.acquire(request).orTimeout(5, TimeUnit.SECONDS).join().allowed()).isTrue();
		late.complete(StubStore.refusing(request, 1000));
		assertThatIsCharged("ann 3");
	}

	// Time passes only in steps, so that the node would stay silent for the same time.
	@Test
	void aLateResponseShowsThatTheNodeIsNotSilent() {
		AtomicLong nanos = new AtomicLong(1);
		MemoryLimitStore local = new MemoryLimitStore(10, () -> 0);
		try (GuardedLimitStore guarded = new GuardedLimitStore(this.stub, this.stub, local, () -> 1,
				new GuardSettings(PROBE_INTERVAL, Duration.ofMillis(50), 10), (event) -> {
				}, nanos::get, Guards.UPKEEP)) {
			CompletableFuture<AcquireResult> late = new CompletableFuture<>();
			this.stub.answers(() -> late);
			AcquireRequest request = new AcquireRequest(List.of(Demands.charge(this.family, "ann", 3)),
					Optional.empty(), nanos.get() + Duration.ofMillis(50).toNanos());
			CompletableFuture<AcquireResult> here = guarded.acquire(request);
			nanos.addAndGet(Duration.ofMillis(500).toNanos());
			assertThat(here.orTimeout(5, TimeUnit.SECONDS).join().allowed()).isTrue();
			late.complete(StubStore.refusing(request, 1000));
			assertThatIsCharged("ann 3");
		}
	}

	private AcquireResult tryAcquire(Charge charge) {
		return this.store.acquire(Demands.within(Duration.ofSeconds(5), charge)).join();
	}

	private void assertThatIsCharged(String... debts) {
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.stub.charged).containsExactly(debts));
	}

	private static CompletableFuture<AcquireResult> uncharged() {
		return failed(StoreException.uncharged(Kind.OVERLOAD, "not sent", null));
	}

	private static <T> CompletableFuture<T> failed(StoreException failure) {
		return CompletableFuture.failedFuture(failure);
	}

	private static final class SettlingStore extends StubStore {

		private final List<String> charged = new CopyOnWriteArrayList<>();

		private volatile Supplier<CompletableFuture<Void>> reply = () -> CompletableFuture.completedFuture(null);

		void settles(Supplier<CompletableFuture<Void>> other) {
			this.reply = other;
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			// A test that has seen the charge may set the reply to the next one.
			Supplier<CompletableFuture<Void>> own = this.reply;
			settlements
				.forEach((settlement) -> this.charged.add(settlement.bucket().subject() + " " + settlement.units()));
			return own.get();
		}

	}

}
