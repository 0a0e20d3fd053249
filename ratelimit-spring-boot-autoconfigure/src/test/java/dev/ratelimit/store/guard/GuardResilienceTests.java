package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.Time;
import dev.ratelimit.test.Guards;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the guard handles errors of other code, and releases all resources.
 */
class GuardResilienceTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final Duration INTERVAL = Duration.ofMillis(20);

	private final StubStore stub = new StubStore();

	private final Charge charge = Demands.charge(Demands.perMinute("guarded", 10), "ann", 1);

	@Test
	void closeEndsTheThreadsOfTheGuard() {
		// Threads of earlier guards may still be ending.
		Set<Thread> before = guardThreads();
		GuardedLimitStore store = Guards.of(this.stub, this.stub, INTERVAL, (event) -> {
		});
		store.start(TIMEOUT);
		Set<Thread> started = guardThreads();
		started.removeAll(before);
		assertThat(started).extracting(Thread::getName).containsOnly("ratelimit-deadlines", "ratelimit-store-probe");
		store.close();
		Awaitility.await().until(() -> started.stream().noneMatch(Thread::isAlive));
	}

	@Test
	void closeEndsTheCallsThatStillWait() {
		GuardedLimitStore store = Guards.of(this.stub, this.stub, INTERVAL, (event) -> {
		});
		CompletableFuture<AcquireResult> waiting = store.acquire(Demands.within(Duration.ofMinutes(1), this.charge));
		store.close();
		assertThat(waiting).succeedsWithin(TIMEOUT)
			.satisfies((answer) -> assertThat(answer.source()).isEqualTo(Source.FALLBACK));
	}

	@Test
	void aListenerThatThrowsLeavesNoCallerWaiting() {
		try (GuardedLimitStore store = throwingListener()) {
			this.stub.fails(Kind.CONNECTION);
			for (int i = 0; i < 20; i++) {
				AcquireResult answer = store.acquire(Demands.of(this.charge)).orTimeout(5, TimeUnit.SECONDS).join();
				assertThat(answer.source()).isEqualTo(Source.FALLBACK);
			}
		}
	}

	@Test
	void aListenerThatThrowsDoesNotEndTheProbing() {
		try (GuardedLimitStore store = throwingListener()) {
			this.stub.checkFails(Kind.CONNECTION);
			assertThat(store.start(TIMEOUT)).isPresent();
			assertThatRecovers(store);
			this.stub.fails(Kind.CONNECTION);
			for (int i = 0; i < 20; i++) {
				store.acquire(Demands.of(this.charge));
			}
			assertThatRecovers(store);
		}
	}

	@Test
	void aListenerThatBlocksDoesNotStopTheProbing() {
		CountDownLatch over = new CountDownLatch(1);
		try (GuardedLimitStore store = Guards.of(this.stub, this.stub, INTERVAL, (event) -> await(over))) {
			this.stub.checkFails(Kind.CONNECTION);
			assertThat(store.start(TIMEOUT)).isPresent();
			assertThatRecovers(store);
			over.countDown();
		}
	}

	@Test
	void aNodeThatThrowsAnErrorDoesNotEndTheProbing() {
		StubStore broken = new StubStore() {

			@Override
			public Set<String> nodes() {
				if (this.checks.get() == 1) {
					this.checks.incrementAndGet();
					throw new NoClassDefFoundError("on purpose");
				}
				return super.nodes();
			}

		};
		try (GuardedLimitStore store = Guards.of(broken, broken, INTERVAL, (event) -> {
		})) {
			broken.checkFails(Kind.CONNECTION);
			assertThat(store.start(TIMEOUT)).isPresent();
			broken.checkSucceeds();
			Awaitility.await().atMost(TIMEOUT).until(() -> store.status().health() == StoreHealth.UP);
		}
	}

	@Test
	void aCallThatThrowsAnErrorDoesNotEndTheSweeping() {
		try (DeadlineSweeper sweeper = new DeadlineSweeper(List::of, Time.SYSTEM)) {
			CompletableFuture<Void> ended = new CompletableFuture<>();
			sweeper.watch(call(() -> {
				throw new NoClassDefFoundError("on purpose");
			}));
			sweeper.watch(call(() -> ended.complete(null)));
			assertThat(ended).succeedsWithin(TIMEOUT);
			CompletableFuture<Void> later = new CompletableFuture<>();
			sweeper.watch(call(() -> later.complete(null)));
			assertThat(later).succeedsWithin(TIMEOUT);
		}
	}

	@Test
	void aCheckThatThrowsSomethingElseIsAFailureAndIsTriedAgain() {
		GuardedLimitStore store = Guards.of(this.stub, this.stub, INTERVAL, (event) -> {
		});
		try (store) {
			this.stub.checkFails(new IllegalStateException("unforeseen"));
			assertThat(store.start(TIMEOUT))
				.hasValueSatisfying((ex) -> assertThat(ex).hasMessageContaining("unforeseen")
					.hasCauseInstanceOf(IllegalStateException.class));
			assertThat(store.status().errors(Kind.OTHER)).isPositive();
			assertThatRecovers(store);
		}
	}

	private static DeadlineSweeper.Call call(Runnable expiry) {
		return new DeadlineSweeper.Call() {

			@Override
			public long startNanos() {
				return System.nanoTime();
			}

			@Override
			public boolean isDone() {
				return false;
			}

			@Override
			public boolean expired(long nowNanos) {
				expiry.run();
				return true;
			}

			@Override
			public void abandon() {
			}

		};
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void assertThatRecovers(GuardedLimitStore store) {
		this.stub.checkSucceeds();
		Awaitility.await().atMost(TIMEOUT).until(() -> store.status().health() == StoreHealth.UP);
	}

	private GuardedLimitStore throwingListener() {
		return Guards.of(this.stub, this.stub, INTERVAL, (event) -> {
			throw new IllegalStateException("a listener's own trouble");
		});
	}

	private static Set<Thread> guardThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> Set.of("ratelimit-deadlines", "ratelimit-store-probe").contains(thread.getName()))
			.collect(Collectors.toSet());
	}

}
