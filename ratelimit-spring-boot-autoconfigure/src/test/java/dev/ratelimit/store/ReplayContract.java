package dev.ratelimit.store;

import java.util.List;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.test.Parallel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of a store for a request that was already charged.
 */
interface ReplayContract extends StoreUnderTest {

	private static ReplayMarker marker(String id) {
		return new ReplayMarker("ann", id, 60_000, 3, 100);
	}

	@Test
	default void aRetryPassesFreeOfCharge() {
		BucketFamily family = Demands.perMinute("orders", 10);
		AcquireResult first = tryAcquire(Demands.of(marker("a"), Demands.replayable(family, "ann", 4)));
		assertThat(first.replayed()).isFalse();
		assertThat(first.verdicts().get(0).outcome()).isEqualTo(Outcome.ALLOWED);
		AcquireResult retry = tryAcquire(Demands.of(marker("a"), Demands.replayable(family, "ann", 4)));
		assertThat(retry.allowed()).isTrue();
		assertThat(retry.replayed()).isTrue();
		assertThat(retry.verdicts())
			.containsExactly(new Verdict(family.policy(), Outcome.REPLAYED, 4, 6, 0, 24_000, 6_000));
		assertThat(remaining(family, "ann")).isEqualTo(6);
	}

	@Test
	default void aRetryPassesEvenWhenTheBucketIsEmpty() {
		BucketFamily family = Demands.perMinute("orders", 10);
		tryAcquire(Demands.of(marker("a"), Demands.replayable(family, "ann", 1)));
		tryAcquire(Demands.charge(family, "ann", 9));
		assertThat(tryAcquire(Demands.of(marker("b"), Demands.replayable(family, "ann", 1))).allowed()).isFalse();
		AcquireResult retry = tryAcquire(Demands.of(marker("a"), Demands.replayable(family, "ann", 1)));
		assertThat(retry.allowed()).isTrue();
		assertThat(retry.verdicts().get(0).outcome()).isEqualTo(Outcome.REPLAYED);
	}

	@Test
	default void aRetryWaivesOnlyReplayableCharges() {
		BucketFamily orders = Demands.perMinute("orders", 10);
		BucketFamily global = Demands.perMinute("global", 2);
		Charge[] charges = { Demands.replayable(orders, "ann", 1), Demands.charge(global, "ann", 1) };
		tryAcquire(Demands.of(marker("a"), charges));
		AcquireResult retry = tryAcquire(Demands.of(marker("a"), charges));
		assertThat(retry.replayed()).isTrue();
		assertThat(retry.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.REPLAYED, Outcome.ALLOWED);
		assertThat(remaining(orders, "ann")).isEqualTo(9);
		assertThat(remaining(global, "ann")).isZero();
		AcquireResult third = tryAcquire(Demands.of(marker("a"), charges));
		assertThat(third.allowed()).isFalse();
		assertThat(third.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.REPLAYED, Outcome.REJECTED);
		assertThat(remaining(orders, "ann")).isEqualTo(9);
	}

	@Test
	default void aRetryWaivesAShadowChargeThatIsReplayable() {
		BucketFamily watched = Demands.perMinute("watched", 10);
		Charge charge = new Charge(new Bucket(watched, "ann"), 4, Demands.shadow(watched, "ann", 4).failure(),
				Stance.WATCHING, true);
		tryAcquire(Demands.of(marker("a"), charge));
		AcquireResult retry = tryAcquire(Demands.of(marker("a"), charge));
		assertThat(retry.verdicts().get(0).outcome()).isEqualTo(Outcome.REPLAYED);
		assertThat(remaining(watched, "ann")).isEqualTo(6);
	}

	@Test
	default void anotherMarkerIsCharged() {
		BucketFamily family = Demands.perMinute("orders", 10);
		tryAcquire(Demands.of(marker("a"), Demands.replayable(family, "ann", 1)));
		AcquireResult other = tryAcquire(Demands.of(marker("b"), Demands.replayable(family, "ann", 1)));
		assertThat(other.replayed()).isFalse();
		assertThat(remaining(family, "ann")).isEqualTo(8);
	}

	@Test
	default void theSameMarkerOfAnotherOwnerIsCharged() {
		BucketFamily family = Demands.perMinute("orders", 10);
		tryAcquire(Demands.of(marker("a"), Demands.replayable(family, "ann", 1)));
		ReplayMarker stolen = new ReplayMarker("bob", "a", 60_000, 3, 100);
		AcquireResult answer = tryAcquire(Demands.of(stolen, Demands.replayable(family, "bob", 1)));
		assertThat(answer.replayed()).isFalse();
		assertThat(remaining(family, "bob")).isEqualTo(9);
	}

	@Test
	default void rejectedRequestLeavesNoMarker() {
		BucketFamily family = Demands.perMinute("orders", 10);
		tryAcquire(Demands.charge(family, "ann", 10));
		long before = remembered();
		for (int i = 0; i < 20; i++) {
			assertThat(tryAcquire(Demands.of(marker("m" + i), Demands.replayable(family, "ann", 1))).allowed())
				.isFalse();
		}
		assertThat(remembered()).isEqualTo(before);
		at(6_000);
		AcquireResult later = tryAcquire(Demands.of(marker("m0"), Demands.replayable(family, "ann", 1)));
		assertThat(later.allowed()).isTrue();
		assertThat(later.replayed()).isFalse();
		assertThat(remaining(family, "ann")).isZero();
	}

	@Test
	default void simultaneousFirstAttemptsAreChargedOnce() {
		BucketFamily family = Demands.perDay("orders", 1000);
		int threads = 16;
		int rounds = 40;
		List<Integer> charged = Parallel.run(threads, (thread) -> {
			int mine = 0;
			for (int round = 0; round < rounds; round++) {
				ReplayMarker marker = new ReplayMarker("ann", "m" + round, 60_000, 100, 100);
				mine += (tryAcquire(Demands.of(marker, Demands.replayable(family, "ann", 1))).replayed()) ? 0 : 1;
			}
			return mine;
		});
		assertThat(charged.stream().mapToInt(Integer::intValue).sum()).isEqualTo(rounds);
		assertThat(remaining(family, "ann")).isEqualTo(1000 - rounds);
	}

}
