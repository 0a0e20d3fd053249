package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Guards;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an instance whose own threads are delayed. The thread that receives replies never
 * runs the tasks it is given.
 */
class StarvationTests {

	private static final Duration DEADLINE = Duration.ofMillis(50);

	private final StubStore stub = new StubStore() {

		@Override
		public Collection<? extends Executor> replyThreads() {
			return List.of(StarvationTests.this.replyThread);
		}

	};

	private final AtomicLong nanos = new AtomicLong(System.nanoTime());

	private final GuardedLimitStore store = new GuardedLimitStore(this.stub, this.stub,
			new MemoryLimitStore(10, () -> 0), () -> 1,
			new GuardSettings(Duration.ofMinutes(10), DEADLINE, Integer.MAX_VALUE), (event) -> {
			}, this.nanos::get, Guards.UPKEEP);

	private final BucketFamily family = Demands.perMinute("guarded", 1000);

	private volatile Executor replyThread = (task) -> {
	};

	@AfterEach
	void close() {
		this.store.close();
	}

	@Test
	void theDeadlineIsPutOffByFourDeadlinesAtMost() {
		this.stub.stalls();
		long start = this.nanos.get();
		AcquireResult answer = tryAcquire();
		assertThat(answer.source()).isEqualTo(Source.FALLBACK);
		// The first beat is sent one tick after the call.
		assertThat(Duration.ofNanos(this.nanos.get() - start)).isGreaterThan(DEADLINE.multipliedBy(49).dividedBy(10));
	}

	@Test
	void anAnswerWithinTheLongerDeadlineCounts() {
		CompletableFuture<AcquireResult> pending = new CompletableFuture<>();
		this.stub.answers(() -> pending);
		// The deadline is long enough for a busy machine to respond within four
		// deadlines.
		Duration deadline = Duration.ofMillis(500);
		AcquireRequest demand = Demands.within(deadline, Demands.charge(this.family, "ann", 1));
		try (GuardedLimitStore patient = Guards.of(this.stub, this.stub, 1,
				new GuardSettings(Duration.ofMinutes(10), deadline, Integer.MAX_VALUE), (event) -> {
				})) {
			CompletableFuture<AcquireResult> guarded = patient.acquire(demand);
			CompletableFuture.delayedExecutor(deadline.toMillis() + 10, TimeUnit.MILLISECONDS)
				.execute(() -> pending.complete(StubStore.admitting(demand)));
			assertThat(guarded.orTimeout(5, TimeUnit.SECONDS).join().source()).isEqualTo(Source.REMOTE);
		}
	}

	@Test
	void ownDelayCountsAsStarvedAndNotAsTimeout() {
		this.stub.stalls();
		CompletableFuture<?>[] calls = new CompletableFuture<?>[40];
		for (int i = 0; i < calls.length; i++) {
			calls[i] = this.store.acquire(demand());
		}
		passTimeUntilDone(CompletableFuture.allOf(calls));
		assertThat(this.store.status().errors(Kind.STARVED)).isEqualTo(calls.length);
		assertThat(this.store.status().errors(Kind.TIMEOUT)).isZero();
		assertThat(this.store.status().circuit()).isEqualTo(State.CLOSED);
	}

	@Test
	void timeOfCallingThreadIsNotTimeOfStore() {
		this.replyThread = Runnable::run;
		this.stub.answers(() -> {
			this.nanos.addAndGet(DEADLINE.toNanos());
			return new CompletableFuture<>();
		});
		assertThat(tryAcquire().source()).isEqualTo(Source.FALLBACK);
		assertThat(this.store.status().errors(Kind.STARVED)).isEqualTo(1);
		assertThat(this.store.status().errors(Kind.TIMEOUT)).isZero();
	}

	@Test
	void aStoreThatIsSilentForASecondIsLateItself() {
		this.stub.stalls();
		this.stub.checkFails(Kind.TIMEOUT);
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
			tryAcquire();
			return this.store.status().circuit() == State.OPEN;
		});
		assertThat(this.store.status().errors(Kind.STARVED)).isPositive();
	}

	@Test
	void aStoreThatIsLateWhileOurThreadsRunCountsAgainstIt() {
		this.replyThread = Runnable::run;
		this.stub.stalls();
		this.stub.checkFails(Kind.TIMEOUT);
		try (GuardedLimitStore timed = Guards.of(this.stub, this.stub, Duration.ofMinutes(10), (event) -> {
		})) {
			// On a busy machine, the instance itself delays some calls too.
			Awaitility.await().until(() -> {
				timed.acquire(Demands.within(DEADLINE, Demands.charge(this.family, "ann", 1)))
					.orTimeout(5, TimeUnit.SECONDS)
					.join();
				return timed.status().circuit() == State.OPEN;
			});
			assertThat(timed.status().errors(Kind.TIMEOUT)).isGreaterThanOrEqualTo(10);
		}
	}

	@Test
	void aProbeThatFailsWhileOurThreadsAreLateIsTriedAgainAtOnceWithMoreTimeout() {
		List<Duration> timeout = new CopyOnWriteArrayList<>();
		StoreNodes nodes = new StarvedNode(timeout);
		try (GuardedLimitStore starved = Guards.of(this.stub, nodes, Duration.ofMinutes(10), (event) -> {
		})) {
			assertThat(starved.start(Duration.ofSeconds(10))).isEmpty();
			assertThat(starved.status().circuit()).isEqualTo(State.CLOSED);
			assertThat(timeout).startsWith(DEADLINE, DEADLINE.multipliedBy(5));
		}
	}

	private AcquireResult tryAcquire() {
		CompletableFuture<AcquireResult> call = this.store.acquire(demand());
		passTimeUntilDone(call);
		return call.join();
	}

	// A pause of the test must not make the store silent for a second.
	private void passTimeUntilDone(CompletableFuture<?> calls) {
		long latest = this.nanos.get() + DEADLINE.multipliedBy(6).toNanos();
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> {
			this.nanos.updateAndGet((now) -> Math.min(now + TimeUnit.MILLISECONDS.toNanos(5), latest));
			return calls.isDone();
		});
	}

	private AcquireRequest demand() {
		return new AcquireRequest(List.of(Demands.charge(this.family, "ann", 1)), Optional.empty(),
				this.nanos.get() + DEADLINE.toNanos());
	}

	/**
	 * A node that responds after the first deadline, on a delayed thread.
	 */
	private static final class StarvedNode implements StoreNodes {

		/** The number of beats within which the lateness becomes evident. */
		private static final int BEATS = 30;

		private final List<Duration> timeout;

		private final AtomicInteger beats = new AtomicInteger();

		StarvedNode(List<Duration> timeout) {
			this.timeout = timeout;
		}

		@Override
		public String nodeOf(Bucket bucket) {
			return "stub";
		}

		@Override
		public Set<String> nodes() {
			return Set.of("stub");
		}

		@Override
		public void check(String node, Duration longest) {
			this.timeout.add(longest);
			int enough = this.beats.get() + BEATS;
			Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> this.beats.get() >= enough);
			if (longest.equals(DEADLINE)) {
				throw new StoreException(Kind.TIMEOUT, "as told", null);
			}
		}

		@Override
		public Collection<? extends Executor> replyThreads() {
			this.beats.incrementAndGet();
			return List.of((task) -> {
			});
		}

	}

}
