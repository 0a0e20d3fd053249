package dev.ratelimit.store;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bounds of a store on the requests that replay markers exempt from charges.
 */
interface ReplayBoundsContract extends StoreUnderTest {

	private AcquireResult post(BucketFamily family, String id, int maxReplays, int maxMarkers) {
		ReplayMarker marker = new ReplayMarker("ann", id, 10_000, maxReplays, maxMarkers);
		return tryAcquire(Demands.of(marker, Demands.replayable(family, "ann", 1)));
	}

	@Test
	default void replaysAreCappedAndThenCharged() {
		BucketFamily family = Demands.perDay("orders", 100);
		assertThat(post(family, "a", 3, 10).replayed()).isFalse();
		for (int i = 0; i < 3; i++) {
			assertThat(post(family, "a", 3, 10).replayed()).as("replay %d", i + 1).isTrue();
		}
		assertThat(remaining(family, "ann")).isEqualTo(99);
		for (int i = 1; i <= 5; i++) {
			assertThat(post(family, "a", 3, 10).replayed()).as("beyond the cap: %d", i).isFalse();
			assertThat(remaining(family, "ann")).isEqualTo(99 - i);
		}
	}

	@Test
	default void withoutReplaysAMarkerGivesNothingAway() {
		BucketFamily family = Demands.perDay("orders", 100);
		post(family, "a", 0, 10);
		assertThat(post(family, "a", 0, 10).replayed()).isFalse();
		assertThat(remaining(family, "ann")).isEqualTo(98);
	}

	@Test
	default void aMarkerIsKnownUntilItsTtlIsOverAndNotLonger() {
		BucketFamily family = Demands.perDay("orders", 100);
		post(family, "a", 9, 10);
		at(9_999);
		assertThat(post(family, "a", 9, 10).replayed()).isTrue();
		at(10_000);
		assertThat(post(family, "a", 9, 10).replayed()).isFalse();
	}

	@Test
	default void aMarkerIsKnownForItsWholeTtlHoweverYoungItsNeighboursWere() {
		BucketFamily family = Demands.perDay("orders", 100);
		for (int millis = 0; millis < 3_000; millis += 250) {
			at(millis);
			post(family, "m" + millis, 9, 20);
		}
		at(12_749);
		assertThat(post(family, "m2750", 9, 20).replayed()).isTrue();
	}

	@Test
	default void replaysDoNotExtendTheTtl() {
		BucketFamily family = Demands.perDay("orders", 100);
		post(family, "a", 100, 10);
		for (int millis = 1_000; millis < 10_000; millis += 1_000) {
			at(millis);
			assertThat(post(family, "a", 100, 10).replayed()).isTrue();
		}
		at(10_001);
		assertThat(post(family, "a", 100, 10).replayed()).isFalse();
	}

	@Test
	default void aMarkerPaidForAgainLivesForItsOwnTtl() {
		BucketFamily family = Demands.perDay("orders", 100);
		post(family, "a", 9, 10);
		at(15_000);
		assertThat(post(family, "a", 9, 10).replayed()).isFalse();
		at(24_999);
		assertThat(post(family, "a", 9, 10).replayed()).isTrue();
		at(25_001);
		assertThat(post(family, "a", 9, 10).replayed()).isFalse();
	}

	@Test
	default void beyondTheMostMarkersARequestIsChargedAndNotRemembered() {
		BucketFamily family = Demands.perDay("orders", 100);
		for (int i = 0; i < 5; i++) {
			post(family, "m" + i, 9, 5);
		}
		assertThat(post(family, "extra", 9, 5).allowed()).isTrue();
		assertThat(post(family, "extra", 9, 5).replayed()).isFalse();
		assertThat(remaining(family, "ann")).isEqualTo(93);
		for (int i = 0; i < 5; i++) {
			assertThat(post(family, "m" + i, 9, 5).replayed()).as("marker %d", i).isTrue();
		}
	}

	@Test
	default void anExpiredMarkerMakesRoomForAnother() {
		BucketFamily family = Demands.perDay("orders", 100);
		post(family, "early", 9, 2);
		at(5_000);
		post(family, "late", 9, 2);
		post(family, "extra", 9, 2);
		assertThat(post(family, "extra", 9, 2).replayed()).isFalse();
		at(10_000);
		assertThat(post(family, "extra", 9, 2).replayed()).isFalse();
		assertThat(post(family, "extra", 9, 2).replayed()).isTrue();
		assertThat(post(family, "late", 9, 2).replayed()).isTrue();
		assertThat(post(family, "early", 9, 2).replayed()).isFalse();
	}

}
