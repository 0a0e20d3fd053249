package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.Limit;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests joint keys on several nodes.
 */
@RedisClusterTest
class JointKeyClusterTests extends AbstractClusterStoreTests {

	private static final List<String> SUBJECTS = TestCluster.shared().apart("user:");

	private final List<BucketFamily> limits = Demands.families("rule",
			new Limit("token-bucket", 10, Duration.ofMinutes(1), 10),
			new Limit("fixed-window", 100, Duration.ofHours(1), 100), new Limit("gcra", 50, Duration.ofHours(2), 50));

	private static Stream<Charge> charges(List<BucketFamily> families, int subject, long cost) {
		return families.stream().map((family) -> Demands.charge(family, SUBJECTS.get(subject), cost));
	}

	@Test
	void requestOnSeveralNodesIsChargedAndReleasedTogether() {
		AcquireResult answer = tryAcquire(
				Stream.concat(charges(this.limits, 0, 3), charges(this.limits, 1, 4)).toArray(Charge[]::new));
		assertThat(answer.allowed()).isTrue();
		assertThat(left(0)).containsExactly(7L, 97L, 47L);
		assertThat(left(1)).containsExactly(6L, 96L, 46L);
		stage().release(answer).join();
		assertThat(left(0)).containsExactly(10L, 100L, 50L);
		assertThat(left(1)).containsExactly(10L, 100L, 50L);
	}

	@Test
	void rejectionByOneNodeRefundsTheOthers() {
		tryAcquire(charges(this.limits, 0, 9).toArray(Charge[]::new));
		tryAcquire(charges(this.limits, 1, 1).toArray(Charge[]::new));
		assertThat(
				tryAcquire(Stream.concat(charges(this.limits, 1, 2), charges(this.limits, 0, 2)).toArray(Charge[]::new))
					.allowed())
			.isFalse();
		assertThat(left(0)).containsExactly(1L, 91L, 41L);
		// A script that is unknown to the node is sent again, after this call.
		Awaitility.await().untilAsserted(() -> assertThat(left(1)).containsExactly(9L, 99L, 49L));
	}

	@Test
	void aResetOfOneLimitOfSeveralSubjectsKeepsTheOthers() {
		tryAcquire(Stream.concat(charges(this.limits, 0, 3), charges(this.limits, 1, 4)).toArray(Charge[]::new));
		store()
			.reset(List.of(new Bucket(this.limits.get(1), SUBJECTS.get(0)),
					new Bucket(this.limits.get(0), SUBJECTS.get(1))))
			.join();
		assertThat(left(0)).containsExactly(7L, 100L, 47L);
		assertThat(left(1)).containsExactly(10L, 96L, 46L);
	}

	private List<Long> left(int subject) {
		return tryAcquire(charges(this.limits, subject, 0).toArray(Charge[]::new)).verdicts()
			.stream()
			.map((verdict) -> verdict.remaining())
			.toList();
	}

}
