package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests replay markers of requests on buckets of several nodes.
 */
@RedisClusterTest
class ClusterReplayTests extends AbstractClusterStoreTests {

	private static final List<String> SUBJECTS = TestCluster.shared().apart("user:");

	private final BucketFamily orders = Demands.perMinute("orders", 10);

	private final BucketFamily global = Demands.perMinute("global", 3);

	private final String ann = SUBJECTS.get(0);

	private final String tenant = SUBJECTS.get(1);

	private final String all = SUBJECTS.get(2);

	private final Charge[] charges = { Demands.replayable(this.orders, this.ann, 1),
			Demands.replayable(this.orders, this.tenant, 2), Demands.charge(this.global, this.all, 1) };

	private AcquireResult post(String id) {
		return post(id, 3, 100);
	}

	private AcquireResult post(String id, int maxReplays, int maxMarkers) {
		return tryAcquire(Demands.of(new ReplayMarker(this.ann, id, 60_000, maxReplays, maxMarkers), this.charges));
	}

	private String markers(String subject) {
		return TestCluster.shared()
			.nodeOf(subject)
			.command("ZRANGE", RedisFixture.PREFIX + ":{" + subject + "}:i", "0", "-1");
	}

	private long replays(String subject, String id) {
		String score = TestCluster.shared()
			.nodeOf(subject)
			.command("ZSCORE", RedisFixture.PREFIX + ":{" + subject + "}:i", id);
		return Long.parseLong(score) % 1000;
	}

	@Test
	void eachSlotWithReplayableChargesHasAMarkerOfItsOwn() {
		assertThat(post("a").replayed()).isFalse();
		assertThat(markers(this.ann)).isEqualTo("a");
		assertThat(markers(this.tenant)).isEqualTo("a");
		assertThat(markers(this.all)).isEmpty();
	}

	@Test
	void aRetryIsFreeInEverySlot() {
		post("a");
		AcquireResult retry = post("a");
		assertThat(retry.replayed()).isTrue();
		assertThat(retry.verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.REPLAYED, Outcome.REPLAYED, Outcome.ALLOWED);
		assertThat(remaining(this.orders, this.ann)).isEqualTo(9);
		assertThat(remaining(this.orders, this.tenant)).isEqualTo(8);
		assertThat(remaining(this.global, this.all)).isEqualTo(1);
	}

	@Test
	void rejectionRemovesNewMarkers() {
		tryAcquire(Demands.charge(this.global, this.all, 3));
		assertThat(post("a").allowed()).isFalse();
		assertThat(remembered()).isEqualTo(1);
		at(20_000);
		AcquireResult later = post("a");
		assertThat(later.allowed()).isTrue();
		assertThat(later.replayed()).isFalse();
		assertThat(remaining(this.orders, this.ann)).isEqualTo(9);
	}

	@Test
	void aRejectionTakesTheCountedReplayBackAndKeepsTheMarker() {
		post("a");
		post("a");
		tryAcquire(Demands.charge(this.global, this.all, 1));
		AcquireResult rejected = post("a");
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.REPLAYED, Outcome.REPLAYED, Outcome.REJECTED);
		ClusterSubjects.awaitQuiet(store());
		assertThat(replays(this.ann, "a")).isEqualTo(1);
		assertThat(replays(this.tenant, "a")).isEqualTo(1);
		assertThat(remaining(this.orders, this.ann)).isEqualTo(9);
	}

	@Test
	void aRejectionLeavesAMarkerThatWasUsedUpAlone() {
		post("a", 0, 100);
		tryAcquire(Demands.charge(this.global, this.all, 2));
		assertThat(post("a", 0, 100).allowed()).isFalse();
		ClusterSubjects.awaitQuiet(store());
		assertThat(replays(this.ann, "a")).isZero();
		assertThat(remaining(this.orders, this.ann)).isEqualTo(9);
	}

	@Test
	void retryIsChargedIfMarkerIsLost() {
		post("a");
		TestCluster.shared().nodeOf(this.tenant).command("DEL", RedisFixture.PREFIX + ":{" + this.tenant + "}:i");
		AcquireResult retry = post("a");
		assertThat(retry.allowed()).isTrue();
		assertThat(retry.replayed()).isFalse();
		assertThat(retry.verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.REPLAYED, Outcome.ALLOWED, Outcome.ALLOWED);
		assertThat(remaining(this.orders, this.ann)).isEqualTo(9);
		assertThat(remaining(this.orders, this.tenant)).isEqualTo(6);
		assertThat(markers(this.tenant)).isEqualTo("a");
		assertThat(post("a").replayed()).isTrue();
	}

	@Test
	void theMarkersOfEachRuleStandBesideItsBucketsWhereTheHashTagHasTheRule() {
		LimitStore apart = store(HashTag.SUBJECT_AND_RULE);
		BucketFamily search = Demands.perMinute("search", 10);
		AcquireRequest demand = Demands.of(new ReplayMarker(this.ann, "a", 60_000, 3, 100),
				Demands.replayable(this.orders, this.ann, 1), Demands.replayable(search, this.ann, 1));
		assertThat(apart.acquire(demand).join().allowed()).isTrue();
		assertThat(TestCluster.shared().keys("*:i")).containsExactlyInAnyOrder(
				RedisFixture.PREFIX + ":{" + this.ann + ":orders}:i",
				RedisFixture.PREFIX + ":{" + this.ann + ":search}:i");
		assertThat(apart.acquire(demand).join().replayed()).isTrue();
	}

	@Test
	void aMarkerLiesWithTheChargeThatItWaivesEvenIfThatIsTheOnlyOne() {
		Charge[] one = { Demands.charge(this.orders, this.ann, 1), Demands.replayable(this.orders, this.tenant, 1) };
		ReplayMarker marker = new ReplayMarker(this.tenant, "a", 60_000, 3, 100);
		tryAcquire(Demands.of(marker, one));
		assertThat(markers(this.ann)).isEmpty();
		assertThat(tryAcquire(Demands.of(marker, one)).replayed()).isTrue();
		assertThat(remaining(this.orders, this.ann)).isEqualTo(8);
		assertThat(remaining(this.orders, this.tenant)).isEqualTo(9);
	}

}
