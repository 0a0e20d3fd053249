package dev.ratelimit.store;

import java.util.List;

import dev.ratelimit.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The effect of releasing a result that is not used.
 */
public interface ReleaseContract extends StoreUnderTest {

	private static AcquireRequest order(BucketFamily family) {
		return Demands.of(new ReplayMarker("ann", "a", 60_000, 1, 100), Demands.replayable(family, "ann", 4));
	}

	@Test
	default void releasedChargesAreRefunded() {
		BucketFamily first = Demands.perMinute("first", 10);
		BucketFamily second = Demands.perMinute("second", 10);
		AcquireResult answer = tryAcquire(Demands.charge(first, "ann", 4), Demands.charge(second, "ann", 3));
		assertThat(answer.changed()).isTrue();
		stage().release(answer).join();
		assertThat(remaining(first, "ann")).isEqualTo(10);
		assertThat(remaining(second, "ann")).isEqualTo(10);
	}

	@Test
	default void aReleasedRequestLeavesNoMarker() {
		BucketFamily family = Demands.perMinute("orders", 10);
		AcquireResult answer = tryAcquire(order(family));
		assertThat(answer.replay()).isEqualTo(ReplayState.MARKED);
		stage().release(answer).join();
		assertThat(tryAcquire(order(family)).replay()).isEqualTo(ReplayState.MARKED);
		assertThat(remaining(family, "ann")).isEqualTo(6);
	}

	// Otherwise, a client whose first request is refunded has a free replay.
	@Test
	default void aFreeReplayTakesOverTheChargeOfAReleasedRequest() {
		BucketFamily family = Demands.perMinute("orders", 10);
		BucketFamily other = Demands.perMinute("other", 10);
		AcquireRequest demand = Demands.of(new ReplayMarker("ann", "a", 60_000, 1, 100),
				Demands.charge(other, "ann", 1), Demands.replayable(family, "ann", 4));
		AcquireResult first = tryAcquire(demand);
		assertThat(tryAcquire(demand).replayed()).isTrue();
		stage().release(first).join();
		assertThat(remaining(family, "ann")).isEqualTo(6);
		assertThat(remaining(other, "ann")).isEqualTo(9);
		assertThat(tryAcquire(demand).replayed()).isTrue();
		assertThat(tryAcquire(demand).replayed()).isFalse();
	}

	private AcquireResult replay(BucketFamily family) {
		tryAcquire(order(family));
		AcquireResult replay = tryAcquire(order(family));
		assertThat(replay.replay()).isEqualTo(ReplayState.KNOWN);
		return replay;
	}

	@Test
	default void aReplayIsTakenBackAlsoIfOthersWereChargedSince() {
		BucketFamily family = Demands.perMinute("orders", 100);
		AcquireResult replay = replay(family);
		assertThat(tryAcquire(order(family)).replayed()).isFalse();
		stage().release(replay).join();
		assertThat(tryAcquire(order(family)).replayed()).isTrue();
	}

	@Test
	default void aReleasedReplayIsNotCounted() {
		BucketFamily family = Demands.perMinute("orders", 10);
		AcquireResult replay = replay(family);
		stage().release(replay).join();
		assertThat(tryAcquire(order(family)).verdicts().get(0).outcome()).isEqualTo(Outcome.REPLAYED);
		assertThat(tryAcquire(order(family)).replayed()).isFalse();
	}

	@Test
	default void partlyRefundedRequestIsReleasedWithItsMarker() {
		BucketFamily first = Demands.perMinute("first", 10);
		BucketFamily second = Demands.perMinute("second", 10);
		BucketFamily third = Demands.perMinute("third", 10);
		AcquireRequest demand = Demands.of(new ReplayMarker("ann", "a", 60_000, 3, 100),
				Demands.replayable(first, "ann", 4), Demands.replayable(second, "bob", 3),
				Demands.charge(third, "carol", 2));
		AcquireResult answer = tryAcquire(demand);
		assertThat(List.of(answer.charge(0).marked(), answer.charge(1).marked(), answer.charge(2).marked()))
			.containsExactly(true, true, false);
		store().settle(List.of(new Settlement(answer.charge(0).bucket(), answer.charge(0).takenAtMillis(), -4))).join();
		stage().release(answer.returning(new long[] { 0, 3, 0 })).join();
		assertThat(remaining(first, "ann")).isEqualTo(10);
		assertThat(remaining(second, "bob")).isEqualTo(10);
		assertThat(remaining(third, "carol")).isEqualTo(8);
		AcquireResult again = tryAcquire(demand);
		assertThat(again.replayed()).isFalse();
		assertThat(remaining(first, "ann")).isEqualTo(6);
		assertThat(remaining(second, "bob")).isEqualTo(7);
	}

	@Test
	default void releasedReplayIsRefundedAndKeepsTheMarker() {
		BucketFamily family = Demands.perMinute("orders", 10);
		BucketFamily other = Demands.perMinute("other", 10);
		AcquireRequest demand = Demands.of(new ReplayMarker("ann", "a", 60_000, 3, 100),
				Demands.replayable(family, "ann", 4), Demands.charge(other, "bob", 2));
		tryAcquire(demand);
		AcquireResult replay = tryAcquire(demand);
		assertThat(replay.charge(0).marked()).isFalse();
		stage().release(replay.returning(new long[] { 0, 2 })).join();
		assertThat(remaining(other, "bob")).isEqualTo(8);
		assertThat(tryAcquire(demand).replayed()).isTrue();
	}

	@Test
	default void aReplayThatAnotherBucketIsChargedForIsTakenBackWithTheCharge() {
		BucketFamily other = Demands.perMinute("other", 10);
		AcquireRequest demand = Demands.of(new ReplayMarker("ann", "a", 60_000, 1, 100),
				Demands.replayable(Demands.perMinute("orders", 10), "ann", 4), Demands.charge(other, "bob", 2));
		tryAcquire(demand);
		stage().release(tryAcquire(demand)).join();
		assertThat(remaining(other, "bob")).isEqualTo(8);
		assertThat(tryAcquire(demand).replayed()).isTrue();
	}

	@Test
	default void aRejectionHasNothingToRelease() {
		BucketFamily family = Demands.perMinute("first", 10);
		AcquireResult answer = tryAcquire(Demands.charge(family, "ann", 11));
		assertThat(answer.changed()).isFalse();
		assertThat(answer.refunds()).isEmpty();
	}

	@Test
	default void aPeekHasNothingToRelease() {
		assertThat(tryAcquire(Demands.charge(Demands.perMinute("first", 10), "ann", 0)).changed()).isFalse();
	}

	@Test
	default void shadowRejectedChargeIsNotReleased() {
		BucketFamily family = Demands.perMinute("watched", 10);
		BucketFamily other = Demands.perMinute("other", 10);
		tryAcquire(Demands.charge(family, "ann", 8));
		AcquireResult answer = tryAcquire(Demands.shadow(family, "ann", 5), Demands.charge(other, "ann", 1));
		assertThat(answer.allowed()).isTrue();
		stage().release(answer).join();
		assertThat(remaining(family, "ann")).isEqualTo(2);
		assertThat(remaining(other, "ann")).isEqualTo(10);
	}

}
