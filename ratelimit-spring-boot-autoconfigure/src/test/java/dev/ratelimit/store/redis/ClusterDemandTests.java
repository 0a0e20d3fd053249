package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.test.Parallel;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests requests on buckets of several nodes.
 */
@RedisClusterTest
class ClusterDemandTests extends AbstractClusterStoreTests {

	private static final List<String> SUBJECTS = TestCluster.shared().apart("user:");

	private final BucketFamily user = Demands.perMinute("user", 10);

	private final BucketFamily global = Demands.perDay("global", 1000);

	private final String ann = SUBJECTS.get(0);

	private final String bob = SUBJECTS.get(1);

	private final String all = SUBJECTS.get(2);

	static Set<String> algorithms() {
		return Algorithms.ids();
	}

	@Test
	void anAllowedDemandChargesEveryBucketInTheOrderOfItsCharges() {
		AcquireResult answer = tryAcquire(Demands.charge(this.global, this.all, 2),
				Demands.charge(this.user, this.ann, 3), Demands.charge(this.user, this.bob, 4),
				Demands.charge(this.user, this.all, 5));
		assertThat(answer.allowed()).isTrue();
		assertThat(answer.replayed()).isFalse();
		assertThat(answer.charge(0).takenAtMillis()).isEqualTo(TODAY);
		assertThat(answer.verdicts()).extracting((verdict) -> verdict.policy().ruleId())
			.containsExactly("global", "user", "user", "user");
		assertThat(answer.verdicts()).extracting(Verdict::remaining).containsExactly(998L, 7L, 6L, 5L);
		assertThat(answer.verdicts()).extracting(Verdict::outcome).containsOnly(Outcome.ALLOWED);
		assertThat(remaining(this.global, this.all)).isEqualTo(998);
		assertThat(remaining(this.user, this.bob)).isEqualTo(6);
	}

	@Test
	void aRejectionLeavesEveryBucketAsItWasAndSaysSo() {
		tryAcquire(Demands.charge(this.user, this.ann, 9));
		tryAcquire(Demands.charge(this.global, this.all, 100));
		long before = remembered();
		AcquireResult answer = tryAcquire(Demands.charge(this.global, this.all, 2),
				Demands.charge(this.user, this.ann, 2), Demands.charge(this.user, this.bob, 2));
		assertThat(answer.allowed()).isFalse();
		assertThat(answer.verdicts()).containsExactly(
				new Verdict(this.global.policy(), Outcome.ALLOWED, 2, 900, 0, 8_640_000, 86_400),
				new Verdict(this.user.policy(), Outcome.REJECTED, 2, 1, 6_000, 54_000, 6_000),
				new Verdict(this.user.policy(), Outcome.ALLOWED, 2, 10, 0, 0, 0));
		assertThat(remaining(this.global, this.all)).isEqualTo(900);
		assertThat(remaining(this.user, this.ann)).isEqualTo(1);
		assertThat(remaining(this.user, this.bob)).isEqualTo(10);
		assertThat(remembered()).isEqualTo(before);
	}

	@ParameterizedTest
	@MethodSource("algorithms")
	void everyAlgorithmRefundsRejectedRequests(String algorithm) {
		BucketFamily family = Demands.family("each", new Limit(algorithm, 10, Duration.ofMinutes(1), 10));
		tryAcquire(Demands.charge(this.user, this.ann, 10));
		tryAcquire(Demands.charge(family, this.bob, 3));
		Charge[] charges = { Demands.charge(family, this.all, 4), Demands.charge(family, this.bob, 5),
				Demands.charge(this.user, this.ann, 1) };
		assertThat(tryAcquire(charges).verdicts()).extracting(Verdict::remaining).containsExactly(10L, 7L, 0L);
		assertThat(remaining(family, this.all)).isEqualTo(10);
		assertThat(remaining(family, this.bob)).isEqualTo(7);
		assertThat(remembered()).isEqualTo(2);
	}

	@Test
	void slotThatRejectedRecentlyIsCalledBeforeTheOthers() {
		Charge[] charges = { Demands.charge(this.global, this.all, 2), Demands.charge(this.user, this.ann, 2) };
		tryAcquire(Demands.charge(this.user, this.ann, 9));
		assertThat(tryAcquire(charges).verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.ALLOWED, Outcome.REJECTED);
		assertThat(tryAcquire(charges).verdicts()).containsExactly(
				new Verdict(this.global.policy(), Outcome.SKIPPED, 2, 0, 0, 0, 0),
				new Verdict(this.user.policy(), Outcome.REJECTED, 2, 1, 6_000, 54_000, 6_000));
		at(6_000);
		assertThat(tryAcquire(charges).allowed()).isTrue();
		assertThat(remaining(this.global, this.all)).isEqualTo(998);
		assertThat(remaining(this.user, this.ann)).isZero();
	}

	@Test
	void firstSlotIsRefundedIfAnotherRejects() {
		BucketFamily narrow = Demands.perMinute("narrow", 1);
		Charge[] charges = { Demands.charge(narrow, this.all, 1), Demands.charge(this.user, this.ann, 2) };
		tryAcquire(Demands.charge(this.user, this.ann, 9));
		tryAcquire(charges);
		at(60_000);
		tryAcquire(Demands.charge(narrow, this.all, 1));
		assertThat(tryAcquire(charges).verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.REJECTED, Outcome.ALLOWED);
		assertThat(remaining(this.user, this.ann)).isEqualTo(10);
	}

	@Test
	void allSlotsAreCalledAlsoIfTheDeadlineIsOverAfterTheFirst() {
		tryAcquire(Demands.charge(this.user, this.ann, 10));
		Charge[] charges = { Demands.charge(this.global, this.all, 1), Demands.charge(this.user, this.ann, 2) };
		tryAcquire(charges);
		at(60_000);
		assertThat(store().acquire(Demands.within(Duration.ZERO, charges)))
			.as("only the guard, which is not here, knows the policies")
			.succeedsWithin(Duration.ofSeconds(10))
			.matches(AcquireResult::allowed);
		assertThat(remaining(this.user, this.ann)).isEqualTo(8);
		assertThat(remaining(this.global, this.all)).isEqualTo(999);
	}

	@Test
	void nodeWithoutTheScriptRefundsToo() {
		tryAcquire(Demands.charge(this.user, this.ann, 10));
		TestCluster.shared().nodes().forEach((node) -> node.command("SCRIPT", "FLUSH"));
		assertThat(
				tryAcquire(Demands.charge(this.global, this.all, 5), Demands.charge(this.user, this.ann, 1)).allowed())
			.isFalse();
		Awaitility.await().until(() -> remaining(this.global, this.all) == 1000);
	}

	@Test
	void onlyChargedUnitsAreRefunded() {
		BucketFamily narrow = Demands.perMinute("narrow", 1);
		BucketFamily watched = Demands.perMinute("watched", 5);
		tryAcquire(Demands.charge(narrow, this.all, 1));
		tryAcquire(Demands.shadow(watched, this.ann, 4));
		AcquireResult answer = tryAcquire(Demands.charge(narrow, this.all, 1), Demands.shadow(watched, this.ann, 3),
				Demands.charge(this.user, this.ann, 0), Demands.charge(this.user, this.bob, 1));
		assertThat(answer.verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.REJECTED, Outcome.SHADOW_REJECTED, Outcome.ALLOWED, Outcome.ALLOWED);
		assertThat(remaining(watched, this.ann)).isEqualTo(1);
		assertThat(remaining(this.user, this.bob)).isEqualTo(10);
	}

	@Test
	void chargesAreCorrectedAndForgottenOnTheirNodes() {
		AcquireResult answer = tryAcquire(Demands.charge(this.global, this.all, 2),
				Demands.charge(this.user, this.ann, 3));
		store().settle(List.of(new Settlement(new Bucket(this.global, this.all), answer.charge(0).takenAtMillis(), -1),
				new Settlement(new Bucket(this.user, this.ann), answer.charge(0).takenAtMillis(), 2)))
			.join();
		assertThat(remaining(this.global, this.all)).isEqualTo(999);
		assertThat(remaining(this.user, this.ann)).isEqualTo(5);
		store().reset(List.of(new Bucket(this.global, this.all), new Bucket(this.user, this.ann))).join();
		assertThat(remembered()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "40, 150", "15, 150", "15, 110" })
	void underContentionTheTotalsAreExact(int each, int together) {
		BucketFamily few = Demands.perDay("few", each);
		BucketFamily shared = Demands.perDay("shared", together);
		List<String> users = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			users.add("caller:" + i);
		}
		List<int[]> allowed = Parallel.run(16, (thread) -> allowed(few, shared, users));
		ClusterSubjects.awaitQuiet(store());
		long total = 0;
		for (int i = 0; i < users.size(); i++) {
			int user = i;
			long mine = allowed.stream().mapToLong((counts) -> counts[user]).sum();
			assertThat(remaining(few, users.get(i))).as(users.get(i)).isEqualTo(each - mine);
			total += mine;
		}
		assertThat(total).isEqualTo(Math.min(8 * each, together));
		assertThat(remaining(shared, "global")).isEqualTo(together - total);
	}

	private int[] allowed(BucketFamily few, BucketFamily shared, List<String> users) {
		int[] allowed = new int[users.size()];
		for (int i = 0; i < 150; i++) {
			int user = ThreadLocalRandom.current().nextInt(users.size());
			AcquireResult answer = tryAcquire(Demands.charge(few, users.get(user), 1),
					Demands.charge(shared, "global", 1));
			allowed[user] += (answer.allowed()) ? 1 : 0;
		}
		return allowed;
	}

}
