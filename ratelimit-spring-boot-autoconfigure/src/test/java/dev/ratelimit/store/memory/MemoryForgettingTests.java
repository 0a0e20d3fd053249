package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.ReplayState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which data the in-memory store forgets.
 */
class MemoryForgettingTests {

	private static final long TODAY = 60_000_000_000L;

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final MemoryLimitStore store = new MemoryLimitStore(1000, this.clock::get);

	@Test
	void aBucketThatIsFullAgainIsForgotten() {
		BucketFamily family = Demands.perMinute("full", 10);
		for (int i = 0; i < 100; i++) {
			tryAcquire(Demands.charge(family, "subject-" + i, 1));
		}
		assertThat(this.store.size()).isEqualTo(100);
		this.clock.addAndGet(Duration.ofMinutes(10).toMillis());
		touch(family);
		assertThat(this.store.size()).isLessThanOrEqualTo(1);
		assertThat(this.store.liveEvictions()).isZero();
	}

	@Test
	void aBusyBucketIsForgottenToo() {
		BucketFamily family = family("busy", 1000, 1000, 1000);
		for (int i = 0; i < 600; i++) {
			this.clock.addAndGet(100);
			tryAcquire(Demands.charge(family, "ann", 1));
		}
		touch(family);
		assertThat(this.store.size()).isEqualTo(2);
		this.clock.addAndGet(12_000);
		touch(family);
		assertThat(this.store.size()).isEqualTo(1);
	}

	@Test
	void aBucketIsRememberedToTheLastMillisecond() {
		BucketFamily family = Demands.perMinute("last", 10);
		tryAcquire(Demands.charge(family, "ann", 10));
		this.clock.addAndGet(59_999);
		touch(family);
		assertThat(tryAcquire(Demands.charge(family, "ann", 10)).allowed()).isFalse();
		this.clock.addAndGet(1);
		assertThat(tryAcquire(Demands.charge(family, "ann", 10)).allowed()).isTrue();
	}

	@Test
	void aLargerChargeThanAnyBeforeIsRememberedAsLongAsItTakes() {
		BucketFamily family = Demands.perMinute("larger", 1000);
		tryAcquire(Demands.charge(family, "ann", 1));
		tryAcquire(Demands.charge(family, "ann", 999));
		this.clock.addAndGet(30_000);
		touch(family);
		assertThat(tryAcquire(Demands.charge(family, "ann", 0)).verdicts().get(0).remaining()).isEqualTo(500);
	}

	@Test
	void markersAreForgottenWhenTheirTtlIsOver() {
		BucketFamily family = Demands.perMinute("marked", 1000);
		ReplayMarker marker = new ReplayMarker("ann", "id", 3_600_000, 10, 10);
		AcquireRequest demand = Demands.of(marker, Demands.replayable(family, "ann", 1));
		assertThat(this.store.acquire(demand).join().replayed()).isFalse();
		this.clock.addAndGet(3_599_999);
		assertThat(this.store.acquire(demand).join().replayed()).isTrue();
		this.clock.addAndGet(1);
		assertThat(this.store.acquire(demand).join().replayed()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void aLiveBucketIsNeverForgotten(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		Map<Charge, long[]> states = new HashMap<>();
		BucketFamily[] families = { family("slow", 5, 3_600_000, 5), family("burst", 10, 1000, 500),
				family("odd", 7, 60_000, 13), family("fast", 1000, 1000, 1000) };
		for (int step = 0; step < 50_000; step++) {
			this.clock.addAndGet((random.nextInt(50) == 0) ? random.nextLong(600_000) : random.nextLong(500));
			BucketFamily family = families[random.nextInt(families.length)];
			Charge charge = Demands.charge(family, "s" + random.nextInt(20), cost(random, family));
			assertThat(tryAcquire(charge)).as("seed %d step %d: %s", seed, step, charge)
				.isEqualTo(model(states, charge));
		}
		assertThat(this.store.liveEvictions()).isZero();
	}

	private static long cost(SplittableRandom random, BucketFamily family) {
		long capacity = family.calculator().capacity();
		return (random.nextInt(4) == 0) ? random.nextLong(capacity + 2) : random.nextLong(1 + capacity / 20);
	}

	private AcquireResult model(Map<Charge, long[]> states, Charge charge) {
		Charge bucket = Demands.charge(charge.bucket().family(), charge.bucket().subject(), 0);
		long[] state = states.getOrDefault(bucket, LimitCalculator.EMPTY);
		long now = this.clock.get();
		AcquireResult answer = AcquireResult.of(Demands.of(charge), new long[][] { charge.look(state, now) },
				!charge.rejects(charge.look(state, now), false, now), ReplayState.NONE, Source.LOCAL, now);
		if (charge.takes(charge.look(state, now), false, now)) {
			states.put(bucket, charge.bucket().family().calculator().take(state, charge.cost(), now));
		}
		return answer;
	}

	@Test
	void theBoundHoldsAndWhatIsLostToItIsCounted() {
		BucketFamily family = Demands.perMinute("bound", 10);
		for (int i = 0; i < 5000; i++) {
			tryAcquire(Demands.charge(family, "subject-" + i, 10));
			assertThat(this.store.size()).isLessThanOrEqualTo(1001);
		}
		assertThat(this.store.liveEvictions()).isBetween(3999L, 4001L);
	}

	@Test
	void fullBucketIsForgottenWithoutLoss() {
		BucketFamily family = Demands.perMinute("no-loss", 10);
		for (int i = 0; i < 5000; i++) {
			tryAcquire(Demands.charge(family, "subject-" + i, 1));
			this.clock.addAndGet(1000);
		}
		assertThat(this.store.liveEvictions()).isZero();
		assertThat(this.store.size()).isLessThan(1000);
	}

	private AcquireResult tryAcquire(Charge charge) {
		return this.store.acquire(Demands.of(charge)).join();
	}

	// The store removes expired data when it is used.
	private void touch(BucketFamily family) {
		for (int i = 0; i < 100; i++) {
			tryAcquire(Demands.charge(family, "other", 1));
		}
	}

	private static BucketFamily family(String rule, long quantity, long periodMillis, long burst) {
		return Demands.family(rule, new Limit(Algorithms.DEFAULT, quantity, Duration.ofMillis(periodMillis), burst));
	}

}
