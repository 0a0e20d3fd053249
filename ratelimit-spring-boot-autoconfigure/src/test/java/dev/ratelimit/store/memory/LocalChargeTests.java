package dev.ratelimit.store.memory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Stance;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that a local charge has the same result as a request to the store.
 */
class LocalChargeTests {

	private static final ChargeTerms TERMS = new ChargeTerms(FailurePolicy.OPEN, Stance.ENFORCED, false,
			Consistency.STRICT);

	private final AtomicLong clock = new AtomicLong(60_000_000_000L);

	private final MemoryLimitStore store = new MemoryLimitStore(10_000, this.clock::get);

	private final MemoryLimitStore other = new MemoryLimitStore(10_000, this.clock::get);

	private static BucketFamily family(String algorithm, long quantity) {
		return Demands.family("local", new Limit(algorithm, quantity, Duration.ofMinutes(1), quantity));
	}

	private @Nullable LocalCharge charge(BucketFamily family, long cost, boolean estimated) {
		return this.store.chargeLocally(family, "ann", cost, TERMS, new ReservationTerms(this.store, estimated));
	}

	private LocalCharge charged(BucketFamily family, long cost, boolean estimated) {
		return Objects.requireNonNull(charge(family, cost, estimated));
	}

	private AcquireResult tryAcquire(MemoryLimitStore one, BucketFamily family, long cost) {
		return one.acquire(Demands.of(Demands.charge(family, "ann", cost))).join();
	}

	private long left(BucketFamily family) {
		return tryAcquire(this.store, family, 0).verdicts().get(0).remaining();
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window", "sliding-log", "leaky-bucket" })
	void theVerdictIsThatOnADemand(String algorithm) {
		BucketFamily family = family(algorithm, 50);
		Random random = new Random(42);
		int local = 0;
		int rejected = 0;
		for (int i = 0; i < 20_000; i++) {
			this.clock.addAndGet((random.nextInt(20) == 0) ? random.nextInt(90_000) : random.nextInt(600));
			long cost = 1 + random.nextInt(3);
			LocalCharge charge = charge(family, cost, true);
			AcquireResult expected = tryAcquire(this.other, family, cost);
			local += (charge != null) ? 1 : 0;
			rejected += (charge != null && !charge.allowed()) ? 1 : 0;
			List<Verdict> verdicts = (charge != null) ? charge : tryAcquire(this.store, family, cost).verdicts();
			assertThat(verdicts).isEqualTo(expected.verdicts());
			if (charge != null && random.nextInt(4) == 0) {
				long actual = random.nextInt(6);
				this.clock.addAndGet(random.nextInt(3000));
				charge.settle(actual);
				if (expected.allowed()) {
					this.other.settle(List.of(new Settlement(new Bucket(family, "ann"),
							expected.charge(0).takenAtMillis(), actual - cost)));
				}
			}
		}
		assertThat(local).isGreaterThan(5000);
		assertThat(rejected).isBetween(500, local - 500);
	}

	@Test
	void unknownBucketIsNotChargedLocally() {
		BucketFamily family = family("token-bucket", 50);
		assertThat(charge(family, 1, false)).isNull();
		assertThat(this.store.size()).isZero();
	}

	@Test
	void aCostThatDoesNotFitIsRejectedAndNotCharged() {
		BucketFamily family = family("token-bucket", 3);
		tryAcquire(this.store, family, 2);
		LocalCharge rejection = charged(family, 2, true);
		assertThat(rejection.allowed()).isFalse();
		assertThat(rejection).isEqualTo(tryAcquire(this.store, family, 2).verdicts());
		assertThat(left(family)).isEqualTo(1);
		rejection.cancel();
		rejection.settle(5);
		assertThat(left(family)).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(names = "ENFORCED", mode = EnumSource.Mode.EXCLUDE)
	void onlyALimitThatIsEnforcedRejectsOnTheSpot(Stance stance) {
		BucketFamily family = family("token-bucket", 3);
		tryAcquire(this.store, family, 3);
		ChargeTerms terms = new ChargeTerms(FailurePolicy.OPEN, stance, false, Consistency.STRICT);
		for (int i = 0; i < 2; i++) {
			assertThat(this.store.chargeLocally(family, "ann", 1, terms, new ReservationTerms(this.store, false)))
				.isNull();
			assertThat(charged(family, 1, false).allowed()).isFalse();
		}
	}

	@Test
	void aCostThatNeverFitsIsNotDecidedOnTheSpot() {
		BucketFamily family = family("token-bucket", 3);
		tryAcquire(this.store, family, 2);
		assertThat(charge(family, 4, false)).isNull();
	}

	@Test
	void aLimitInTheOthersPlaceTakesOverItsUsageFirst() {
		BucketFamily before = family("token-bucket", 100);
		BucketFamily after = family("token-bucket", 50).replacing(before, new Activation());
		tryAcquire(this.store, before, 10);
		assertThat(charge(after, 1, false)).isNull();
		assertThat(tryAcquire(this.store, after, 1).verdicts().get(0).remaining()).isEqualTo(39);
	}

	@Test
	void aForgottenBucketIsNotCharged() {
		BucketFamily family = family("token-bucket", 50);
		tryAcquire(this.store, family, 1);
		this.store.reset(List.of(new Bucket(family, "ann"))).join();
		assertThat(charge(family, 1, false)).isNull();
	}

	@Test
	void itIsCorrectedLikeAnyCharge() {
		BucketFamily family = family("token-bucket", 50);
		tryAcquire(this.store, family, 1);
		LocalCharge charge = charged(family, 5, true);
		assertThat(left(family)).isEqualTo(44);
		charge.settle(2);
		charge.settle(2);
		assertThat(left(family)).isEqualTo(47);
		charge.settle("local", 9);
		assertThat(left(family)).isEqualTo(40);
		charge.settle("another", 0);
		charge.release();
		assertThat(left(family)).isEqualTo(40);
		charge.cancel();
		charge.cancel();
		assertThat(left(family)).isEqualTo(49);
		assertThatIllegalArgumentException().isThrownBy(() -> charge.settle(-1));
	}

	@Test
	void onlyAnEstimateIsSettledWithoutNamingItsRule() {
		BucketFamily family = family("token-bucket", 50);
		tryAcquire(this.store, family, 1);
		charged(family, 5, false).settle(0);
		assertThat(left(family)).isEqualTo(44);
	}

	@Test
	void itIsAListOfOneVerdictWhichIsNoOtherCharge() {
		BucketFamily family = family("fixed-window", 50);
		tryAcquire(this.store, family, 1);
		LocalCharge charge = charged(family, 1, false);
		LocalCharge next = new OfVerdict(charge.get(0));
		assertThat(charge).hasSize(1).isEqualTo(List.of(charge.get(0))).isNotEqualTo(next).isEqualTo(charge);
		assertThat(charge).hasSameHashCodeAs(List.of(charge.get(0)));
	}

	@Test
	void aChangedLimitIsChargedOnTheSpotOnceItHasABucket() {
		BucketFamily before = family("token-bucket", 10);
		tryAcquire(this.store, before, 4);
		BucketFamily after = family("token-bucket", 20).replacing(before, Activation.at(System.nanoTime()));
		assertThat(charge(after, 1, false)).as("its usage must be moved").isNull();
		tryAcquire(this.store, after, 1);
		assertThat(charged(after, 1, false)).singleElement().extracting(Verdict::remaining).isEqualTo(14L);
	}

	@Test
	void theVerdictIsOfTheTimeOfTheChargeAndMadeOnce() {
		BucketFamily family = family("token-bucket", 50);
		tryAcquire(this.store, family, 1);
		LocalCharge charge = charged(family, 5, false);
		this.clock.addAndGet(2000);
		charged(family, 20, false);
		assertThat(charge.get(0).remaining()).isEqualTo(44);
		assertThat(charge.get(0)).isSameAs(charge.get(0));
	}

	/** A charge with an existing verdict. */
	private final class OfVerdict extends LocalCharge {

		private final Verdict verdict;

		OfVerdict(Verdict verdict) {
			super(new ReservationTerms(LocalChargeTests.this.store, false),
					new Bucket(family("fixed-window", 50), "ann"), verdict.cost());
			this.verdict = verdict;
		}

		@Override
		protected Verdict verdict(long cost) {
			return this.verdict;
		}

		@Override
		protected Policy policy() {
			return this.verdict.policy();
		}

		@Override
		protected long takenAtMillis() {
			return 0;
		}

	}

}
