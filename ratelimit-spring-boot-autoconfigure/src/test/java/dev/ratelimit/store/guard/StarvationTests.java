package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
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

	private final GuardedLimitStore store = Guards.of(this.stub, this.stub, Duration.ofMinutes(10), (event) -> {
	});

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
		long start = System.nanoTime();
		AcquireResult answer = tryAcquire();
		assertThat(answer.source()).isEqualTo(Source.FALLBACK);
		// The first beat is sent one tick after the call.
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(DEADLINE.multipliedBy(49).dividedBy(10));
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
		CompletableFuture.allOf(calls).orTimeout(5, TimeUnit.SECONDS).join();
		assertThat(this.store.status().errors(Kind.STARVED)).isEqualTo(calls.length);
		assertThat(this.store.status().errors(Kind.TIMEOUT)).isZero();
		assertThat(this.store.status().circuit()).isEqualTo(State.CLOSED);
	}

	@Test
	void timeOfCallingThreadIsNotTimeOfStore() {
		this.replyThread = Runnable::run;
		this.stub.answers(() -> {
			LockSupport.parkNanos(DEADLINE.toNanos());
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
		Awaitility.await().until(() -> {
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
		// On a busy machine, the instance itself delays some calls too.
		Awaitility.await().until(() -> {
			tryAcquire();
			return this.store.status().circuit() == State.OPEN;
		});
		assertThat(this.store.status().errors(Kind.TIMEOUT)).isGreaterThanOrEqualTo(10);
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
		return this.store.acquire(demand()).orTimeout(5, TimeUnit.SECONDS).join();
	}

	private AcquireRequest demand() {
		return Demands.within(DEADLINE, Demands.charge(this.family, "ann", 1));
	}

	/**
	 * A node that responds after one and a half deadlines, on a delayed thread.
	 */
	private static final class StarvedNode implements StoreNodes {

		private final List<Duration> timeout;

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
			try {
				new CountDownLatch(1).await(Math.min(longest.toMillis(), 75), TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			if (longest.toMillis() < 75) {
				throw new StoreException(Kind.TIMEOUT, "as told", null);
			}
		}

		@Override
		public Collection<? extends Executor> replyThreads() {
			return List.of((task) -> {
			});
		}

	}

}
