package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.Source;
import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.test.Guards;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a store of several nodes, some of which are unavailable. Each subject is a
 * separate node.
 */
class NodeCircuitTests {

	private final Set<String> nodes = ConcurrentHashMap.newKeySet();

	private final Set<String> away = ConcurrentHashMap.newKeySet();

	private final Set<String> silent = ConcurrentHashMap.newKeySet();

	private final CountDownLatch over = new CountDownLatch(1);

	private final Set<String> refusing = ConcurrentHashMap.newKeySet();

	private final List<StoreStateEvent> events = new CopyOnWriteArrayList<>();

	private final BucketFamily family = Demands.perMinute("guarded", 1000);

	private final GuardedLimitStore store = Guards.of(new Nodes(), new Nodes(), Duration.ofMillis(50),
			this.events::add);

	@BeforeEach
	void start() {
		this.nodes.addAll(Set.of("a", "b"));
		assertThat(this.store.start(Duration.ofSeconds(5))).isEmpty();
	}

	@AfterEach
	void close() {
		this.store.close();
	}

	@Test
	void unavailableNodeFailsOverAlone() {
		this.away.add("a");
		for (int i = 0; i < 10; i++) {
			assertThat(tryAcquire("a").source()).isEqualTo(Source.FALLBACK);
			assertThat(tryAcquire("b").source()).isEqualTo(Source.REMOTE);
		}
		assertThat(this.store.status().nodes()).containsEntry("a", State.OPEN).containsEntry("b", State.CLOSED);
		assertThat(this.store.status().circuit()).isEqualTo(State.OPEN);
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.DEGRADED);
		assertThat(this.store.status().lastFailure()).isEqualTo("a: connection: away");
		this.away.clear();
		Awaitility.await().until(() -> tryAcquire("a").source() == Source.REMOTE);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events).containsExactly(
					new StoreStateEvent("nodes", "a", false, "connection: away"),
					new StoreStateEvent("nodes", "a", true, "it responds")));
	}

	@Test
	void aNodeThatHasLeftIsForgotten() {
		this.away.add("a");
		for (int i = 0; i < 10; i++) {
			tryAcquire("a");
		}
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.DEGRADED);
		this.nodes.remove("a");
		Awaitility.await().until(() -> this.store.status().health() == StoreHealth.UP);
		assertThat(this.store.status().nodes()).containsOnlyKeys("b");
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events).containsExactly(
					new StoreStateEvent("nodes", "a", false, "connection: away"),
					new StoreStateEvent("nodes", "a", true, "it is no longer part of the cluster")));
	}

	@Test
	void theStoreIsDownOnlyIfEveryNodeRejects() {
		this.refusing.add("a");
		// Probes succeed, and several successes end a majority of failures.
		try (GuardedLimitStore unprobed = Guards.of(new Nodes(), new Nodes(), Duration.ofMinutes(10),
				this.events::add)) {
			assertThat(unprobed.start(Duration.ofSeconds(5))).isEmpty();
			for (int i = 0; i < 10; i++) {
				tryAcquire(unprobed, "a");
			}
			assertThat(unprobed.status().health()).isEqualTo(StoreHealth.DEGRADED);
			this.refusing.add("b");
			for (int i = 0; i < 10; i++) {
				tryAcquire(unprobed, "b");
			}
			assertThat(unprobed.status().health()).isEqualTo(StoreHealth.DOWN);
		}
	}

	@Test
	void nodeThatRejectsCallsStaysInUse() {
		this.refusing.add("a");
		for (int i = 0; i < 20; i++) {
			tryAcquire("a");
		}
		assertThat(this.store.status().circuit()).isEqualTo(State.CLOSED);
		this.refusing.clear();
		assertThat(tryAcquire("a").source()).isEqualTo(Source.REMOTE);
		for (int i = 0; i < 20; i++) {
			tryAcquire("a");
		}
		assertThat(this.store.status().health()).isEqualTo(StoreHealth.UP);
	}

	@Test
	void theReasonOfARejectionIsKeptIfAProbeShowsOnlyAClosedConnection() {
		AtomicInteger calls = new AtomicInteger();
		StoreNodes node = Guards.node("nodes", () -> {
			if (calls.getAndIncrement() % 2 == 0) {
				throw new StoreException(Kind.SCRIPT, "WRONGPASS", null);
			}
			throw new StoreException(Kind.CONNECTION, "closed", null);
		});
		try (GuardedLimitStore rejected = Guards.of(new Nodes(), node, Duration.ofMillis(20), this.events::add)) {
			assertThat(rejected.start(Duration.ofSeconds(5)))
				.hasValueSatisfying((failure) -> assertThat(failure).hasMessage("WRONGPASS"));
			Awaitility.await().until(() -> calls.get() > 12);
			assertThat(rejected.status().lastFailure()).contains("WRONGPASS");
			assertThat(rejected.status().health()).isEqualTo(StoreHealth.DOWN);
		}
	}

	@Test
	void aNodeThatDoesNotRespondAtTheStartFailsAlone() {
		this.nodes.addAll(Set.of("c", "d", "e"));
		this.silent.add("a");
		try (GuardedLimitStore starting = Guards.of(new Nodes(), new Nodes(), Duration.ofMillis(50),
				this.events::add)) {
			assertThat(starting.start(Duration.ofMillis(500)))
				.hasValueSatisfying((failure) -> assertThat(failure).hasMessageContaining("no response within 500 ms"));
			// The first probe of another node may be late too.
			Awaitility.await()
				.untilAsserted(() -> assertThat(starting.status().nodes()).containsEntry("a", State.OPEN)
					.containsEntry("b", State.CLOSED)
					.containsEntry("c", State.CLOSED)
					.containsEntry("d", State.CLOSED)
					.containsEntry("e", State.CLOSED));
		}
		finally {
			this.over.countDown();
		}
	}

	private AcquireResult tryAcquire(String subject) {
		return tryAcquire(this.store, subject);
	}

	private AcquireResult tryAcquire(GuardedLimitStore which, String subject) {
		return which.acquire(Demands.of(Demands.charge(this.family, subject, 1))).orTimeout(5, TimeUnit.SECONDS).join();
	}

	private final class Nodes implements StoreStage, StoreNodes {

		@Override
		public String name() {
			return "nodes";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			String node = nodeOf(demand.charges().get(0).bucket());
			if (NodeCircuitTests.this.away.contains(node)) {
				return CompletableFuture.failedFuture(new StoreException(Kind.CONNECTION, "away", null));
			}
			if (NodeCircuitTests.this.refusing.contains(node)) {
				return CompletableFuture.failedFuture(new StoreException(Kind.SCRIPT, "no", null));
			}
			return CompletableFuture.completedFuture(StubStore.admitting(demand));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public String nodeOf(Bucket bucket) {
			return bucket.subject();
		}

		@Override
		public Set<String> nodes() {
			return Set.copyOf(NodeCircuitTests.this.nodes);
		}

		@Override
		public void check(String node, Duration timeout) {
			if (NodeCircuitTests.this.silent.contains(node)) {
				awaitTheEnd();
			}
			if (NodeCircuitTests.this.away.contains(node)) {
				throw new StoreException(Kind.CONNECTION, "away", null);
			}
		}

		private void awaitTheEnd() {
			try {
				NodeCircuitTests.this.over.await(60, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
