package dev.ratelimit.store;

import dev.ratelimit.Outcome;
import dev.ratelimit.store.Answer.Retry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What taking back an answer that nobody goes by must come to.
 */
public interface ReleaseContract extends StoreUnderTest {

	private static Demand order(BucketFamily family) {
		return Demands.of(new ReplayMarker("ann", "a", 60_000, 1, 100), Demands.replayable(family, "ann", 4));
	}

	@Test
	default void whatIsReleasedWasNeverTaken() {
		BucketFamily first = Demands.perMinute("first", 10);
		BucketFamily second = Demands.perMinute("second", 10);
		Answer answer = ask(Demands.charge(first, "ann", 4), Demands.charge(second, "ann", 3));
		assertThat(answer.changed()).isTrue();
		store().release(answer).join();
		assertThat(remaining(first, "ann")).isEqualTo(10);
		assertThat(remaining(second, "ann")).isEqualTo(10);
	}

	@Test
	default void aReleasedRequestLeavesNoMarker() {
		BucketFamily family = Demands.perMinute("orders", 10);
		Answer answer = ask(order(family));
		assertThat(answer.retry()).isEqualTo(Retry.MARKED);
		store().release(answer).join();
		assertThat(ask(order(family)).retry()).isEqualTo(Retry.MARKED);
		assertThat(remaining(family, "ann")).isEqualTo(6);
	}

	@Test
	default void aReleasedReplayIsNotCounted() {
		BucketFamily family = Demands.perMinute("orders", 10);
		ask(order(family));
		Answer replay = ask(order(family));
		assertThat(replay.retry()).isEqualTo(Retry.KNOWN);
		store().release(replay).join();
		assertThat(ask(order(family)).verdicts().get(0).outcome()).isEqualTo(Outcome.REPLAYED);
		assertThat(ask(order(family)).replayed()).isFalse();
	}

	@Test
	default void aRefusalHasNothingToRelease() {
		BucketFamily family = Demands.perMinute("first", 10);
		Answer answer = ask(Demands.charge(family, "ann", 11));
		assertThat(answer.changed()).isFalse();
		assertThat(answer.refunds()).isEmpty();
	}

	@Test
	default void aPeekHasNothingToRelease() {
		assertThat(ask(Demands.charge(Demands.perMinute("first", 10), "ann", 0)).changed()).isFalse();
	}

	@Test
	default void whatAWatchingRuleCouldNotTakeIsNotReleased() {
		BucketFamily family = Demands.perMinute("watched", 10);
		BucketFamily other = Demands.perMinute("other", 10);
		ask(Demands.charge(family, "ann", 8));
		Answer answer = ask(Demands.shadow(family, "ann", 5), Demands.charge(other, "ann", 1));
		assertThat(answer.admitted()).isTrue();
		store().release(answer).join();
		assertThat(remaining(family, "ann")).isEqualTo(2);
		assertThat(remaining(other, "ann")).isEqualTo(10);
	}

}
