package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests requests on several nodes, one of which is lost, on a separate cluster.
 */
@Tag("topology")
@Tag("redis")
@Tag("long")
class ClusterOutageTests {

	private final BucketFamily family = Demands.family("family",
			new Limit(Algorithms.DEFAULT, 10, Duration.ofDays(1), 10));

	private TestCluster cluster;

	private RedisFixture fixture;

	private StoreStage store;

	private List<String> subjects;

	@BeforeEach
	void start() {
		this.cluster = TestCluster.start();
		this.fixture = RedisFixture.connected(this.cluster);
		this.store = this.fixture.spanning(HashTag.SUBJECT);
		this.subjects = this.cluster.apart("user:");
	}

	@AfterEach
	void stop() {
		this.fixture.close();
		this.cluster.close();
	}

	@Test
	void requestOnLostNodeFailsAndIsRefundedElsewhere() {
		TestRedis lost = this.cluster.nodeOf(this.subjects.get(1));
		assertThat(tryAcquire(0, 1, 2).allowed()).isTrue();
		lost.kill();
		for (int i = 0; i < 20; i++) {
			assertThatFails();
		}
		assertThat(remaining(0)).isEqualTo(9);
		assertThat(remaining(2)).isEqualTo(9);
		assertThat(tryAcquire(0, 2).allowed()).as("the other nodes go on").isTrue();
		lost.restart();
		Awaitility.await()
			.atMost(Duration.ofSeconds(15))
			.until(() -> this.store.acquire(Demands.of(Demands.charge(this.family, this.subjects.get(1), 0)))
				.handle((answer, failure) -> failure == null)
				.join());
		assertThat(tryAcquire(0, 1, 2).allowed()).isTrue();
		assertThat(remaining(0)).isEqualTo(7);
		assertThat(remaining(1)).as("a node that comes back is empty").isEqualTo(9);
	}

	@Test
	void markerOfFailedRequestIsRemoved() {
		ReplayMarker marker = new ReplayMarker(this.subjects.get(0), "a", 60_000, 3, 10);
		AcquireRequest request = Demands.of(marker, Demands.replayable(this.family, this.subjects.get(0), 4), charge(1),
				charge(2));
		// A refund whose script the server does not know yet may run after the next
		// request, which is then a replay and takes over the charge.
		this.store.release(this.store.acquire(request).join()).join();
		this.cluster.nodeOf(this.subjects.get(1)).kill();
		for (int i = 0; i < 5; i++) {
			assertThat(this.store.acquire(request)).failsWithin(Duration.ofSeconds(10));
		}
		Awaitility.await().until(() -> {
			String keys = this.cluster.nodeOf(this.subjects.get(0)).command("KEYS", "*");
			return keys.isEmpty();
		});
	}

	@Test
	void aRejectionIsCertainWhateverALostNodeWouldHaveSaid() {
		this.store.acquire(Demands.of(Demands.charge(this.family, this.subjects.get(0), 10))).join();
		this.cluster.nodeOf(this.subjects.get(1)).kill();
		AcquireResult answer = tryAcquire(0, 1, 2);
		assertThat(answer.allowed()).isFalse();
		assertThat(answer.verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.REJECTED, Outcome.SKIPPED, Outcome.ALLOWED);
		assertThat(remaining(2)).isEqualTo(10);
	}

	private AcquireResult tryAcquire(int... subjects) {
		return this.store.acquire(Demands.of(IntStream.of(subjects).mapToObj(this::charge).toArray(Charge[]::new)))
			.join();
	}

	private Charge charge(int subject) {
		return Demands.charge(this.family, this.subjects.get(subject), 1);
	}

	private long remaining(int subject) {
		return this.store.acquire(Demands.of(Demands.charge(this.family, this.subjects.get(subject), 0)))
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

	private void assertThatFails() {
		assertThat(this.store.acquire(Demands.of(charge(0), charge(1), charge(2)))).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class, (ex) -> assertThat(ex.kind()).isEqualTo(Kind.CONNECTION));
	}

}
