package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.Consistency;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.ReplayState;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LeasedLimitStoreTests {

	/** A whole number of minutes after the epoch. */
	private static final long TODAY = 60_000_000_000L;

	private long nanos = TimeUnit.HOURS.toNanos(1);

	private final LeasingMemory store = new LeasingMemory(this::millis);

	private final LeasedLimitStore stage = SimulatedLeases.stage(this.store, () -> this.nanos);

	private final BucketFamily family = family("fixed-window", 1000);

	private long millis() {
		return TODAY + TimeUnit.NANOSECONDS.toMillis(this.nanos) - TimeUnit.HOURS.toMillis(1);
	}

	private void pass(long millis) {
		this.nanos += TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private static BucketFamily family(String algorithm, long quantity) {
		return Demands.family("rule-" + algorithm, new Limit(algorithm, quantity, Duration.ofMinutes(1), quantity));
	}

	private static Charge leased(BucketFamily family, String subject, long cost) {
		return Demands.charge(family, subject, cost).with(Consistency.LEASED);
	}

	private AcquireResult tryAcquire(Charge... charges) {
		return this.stage.acquire(Demands.of(charges)).join();
	}

	// Charge often enough that units are leased.
	private long warm(Charge charge, int times) {
		long allowed = 0;
		for (int i = 0; i < times; i++) {
			allowed += (tryAcquire(charge).allowed()) ? 1 : 0;
			pass(2);
		}
		return allowed;
	}

	private long held(Charge charge) {
		return this.stage.status().held(charge.bucket());
	}

	private void balanced() {
		LeaseStatus status = this.stage.status();
		assertThat(status.spent() - status.refunded() + status.returned() + status.expired() + status.held())
			.isEqualTo(status.granted());
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window" })
	void aBusyBucketIsDecidedHere(String algorithm) {
		Charge charge = leased(family(algorithm, 1000), "ann", 1);
		assertThat(tryAcquire(charge).source()).as("a cold bucket asks").isEqualTo(Source.REMOTE);
		warm(charge, 100);
		assertThat(this.store.calls).hasValueLessThan(20);
		assertThat(tryAcquire(charge).source()).isEqualTo(Source.LOCAL);
		balanced();
	}

	@Test
	void remainingIsThatOfWholeBucket() {
		Charge charge = leased(this.family, "ann", 1);
		for (int i = 0; i < 200; i++) {
			assertThat(tryAcquire(charge).verdicts().get(0).remaining()).isEqualTo(999 - i);
			pass(2);
		}
		assertThat(this.stage.status().local()).isGreaterThan(150);
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixed-window", "sliding-window" })
	void noMoreIsAllowedThanTheLimitAndNoLess(String algorithm) {
		Charge charge = leased(family(algorithm, 1000), "ann", 1);
		assertThat(warm(charge, 3000)).isEqualTo(1000);
	}

	@Test
	void unitsThatNobodySpendsGoBack() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		assertThat(held(charge)).isPositive();
		this.stage.sweep();
		pass(400);
		this.stage.sweep();
		assertThat(held(charge)).as("not idle for long").isPositive();
		pass(101);
		this.stage.sweep();
		assertThat(held(charge)).isZero();
		assertThat(this.store.remaining(charge)).isEqualTo(900);
		assertThat(this.stage.status().returned()).isPositive();
		balanced();
	}

	@Test
	void aLeaseEndsEvenIfItIsSpentNowAndThen() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		long held = held(charge);
		assertThat(held).isGreaterThan(10);
		this.stage.sweep();
		for (int i = 0; i < 3; i++) {
			pass(700);
			tryAcquire(charge);
		}
		assertThat(tryAcquire(charge).source()).as("after its end").isEqualTo(Source.REMOTE);
		this.stage.sweep();
		assertThat(this.store.remaining(charge) + held(charge)).isEqualTo(1000 - 104);
		balanced();
	}

	@Test
	void nothingIsCarriedIntoTheNextWindow() {
		Charge charge = leased(this.family, "ann", 1);
		pass(59_700);
		warm(charge, 100);
		assertThat(held(charge)).isPositive();
		pass(101);
		AcquireResult next = tryAcquire(charge);
		assertThat(next.source()).isEqualTo(Source.REMOTE);
		assertThat(next.verdicts().get(0).remaining()).isEqualTo(999);
		this.stage.sweep();
		assertThat(this.store.remaining(charge) + held(charge)).as("nothing was given to this window").isEqualTo(999);
		balanced();
	}

	@Test
	void closeReturnsAllLeases() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		assertThat(held(charge)).isPositive();
		this.stage.close();
		assertThat(this.store.remaining(charge)).isEqualTo(900);
		balanced();
	}

	@Test
	void aChangedLimitEndsTheLease() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		BucketFamily same = Demands.family("rule-fixed-window",
				new Limit("fixed-window", 500, Duration.ofMinutes(1), 500));
		assertThat(same.label()).isEqualTo(this.family.label());
		AcquireResult next = tryAcquire(leased(same, "ann", 1));
		assertThat(next.source()).isEqualTo(Source.REMOTE);
		assertThat(next.verdicts().get(0).remaining()).isEqualTo(399);
		balanced();
	}

	@Test
	void aLimitInTheOthersPlaceTakesOverWhatIsLeft() {
		Charge charge = leased(family("token-bucket", 1000), "ann", 1);
		warm(charge, 100);
		long held = held(charge);
		assertThat(held).isPositive();
		BucketFamily next = family("token-bucket", 2000).replacing(charge.bucket().family(), new Activation());
		tryAcquire(leased(next, "ann", 1));
		assertThat(this.store.leases).singleElement()
			.satisfies((unspent) -> assertThat(unspent.units()).isEqualTo(held));
		balanced();
	}

	@Test
	void aLimitAfterSeveralChangesTakesOverWhatIsLeft() {
		Charge charge = leased(family("token-bucket", 1000), "ann", 1);
		warm(charge, 100);
		long held = held(charge);
		BucketFamily middle = family("token-bucket", 1500).replacing(charge.bucket().family(), new Activation());
		BucketFamily next = family("token-bucket", 2000).replacing(middle, new Activation());
		tryAcquire(leased(next, "ann", 1));
		assertThat(this.store.leases).singleElement()
			.satisfies((unspent) -> assertThat(unspent.units()).isEqualTo(held));
		balanced();
	}

	@Test
	void aFreshStartDropsWhatIsHeld() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		this.stage.reset(List.of(charge.bucket())).join();
		assertThat(held(charge)).isZero();
		assertThat(this.store.remaining(charge)).isEqualTo(1000);
		assertThat(this.store.leases).isEmpty();
		balanced();
	}

	@Test
	void allLeasesAreTakenOrNone() {
		Charge one = leased(this.family, "ann", 1);
		Charge two = leased(family("token-bucket", 1000), "ann", 1);
		BucketFamily log = family("sliding-log", 1);
		warm(one, 100);
		warm(two, 100);
		tryAcquire(Demands.charge(log, "ann", 1));
		long before = held(one);
		long also = held(two);
		AcquireResult rejected = tryAcquire(one, Demands.charge(log, "ann", 1), two);
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.verdicts()).extracting((verdict) -> verdict.outcome())
			.containsExactly(Outcome.SKIPPED, Outcome.REJECTED, Outcome.SKIPPED);
		assertThat(held(one)).isEqualTo(before);
		assertThat(held(two)).isEqualTo(also);
		balanced();
	}

	// The call that leases more contains the number of held units.
	@Test
	void aRejectionWhileMoreIsLeasedChargesNothing() {
		Charge one = leased(this.family, "ann", 1);
		Charge log = Demands.charge(family("sliding-log", 1), "ann", 1);
		warm(one, 100);
		tryAcquire(log);
		Map<AcquireResult, CompletableFuture<AcquireResult>> late = new LinkedHashMap<>();
		this.store.way((result) -> (result.request().leases())
				? late.computeIfAbsent(result, (same) -> new CompletableFuture<>())
				: CompletableFuture.completedFuture(result));
		while (late.isEmpty()) {
			assertThat(tryAcquire(one).source()).isEqualTo(Source.LOCAL);
		}
		long before = held(one) + this.store.remaining(one);
		assertThat(tryAcquire(one, log).allowed()).isFalse();
		assertThat(held(one) + this.store.remaining(one)).isEqualTo(before);
		late.forEach((result, reply) -> reply.complete(result));
		balanced();
	}

	@Test
	void unleasedBucketsShareOneCall() {
		Charge one = leased(this.family, "ann", 1);
		warm(one, 100);
		int calls = this.store.calls.get();
		AcquireResult answer = tryAcquire(Demands.charge(family("sliding-log", 10), "ann", 2), one,
				Demands.charge(family("leaky-bucket", 10), "ann", 1));
		assertThat(answer.allowed()).isTrue();
		assertThat(answer.source()).isEqualTo(Source.REMOTE);
		assertThat(this.store.calls).hasValue(calls + 1);
		assertThat(this.store.demands.get(calls).charges()).extracting((charge) -> charge.bucket().family().algorithm())
			.containsExactly("sliding-log", "leaky-bucket");
		assertThat(answer.verdicts()).extracting((verdict) -> verdict.policy().ruleId())
			.containsExactly("rule-sliding-log", "rule-fixed-window", "rule-leaky-bucket");
		assertThat(answer.charge(1).bucket()).isEqualTo(one.bucket());
	}

	@Test
	void unitsAreKeptIfTheStoreOfAnotherBucketIsUnavailable() {
		Charge one = leased(this.family, "ann", 1);
		Charge other = Demands.charge(family("sliding-log", 1000), "ann", 1);
		this.store.way((result) -> CompletableFuture.completedFuture(remoteOnly(one.bucket(), result)));
		for (int i = 0; i < 100; i++) {
			tryAcquire(one, other);
			pass(2);
		}
		assertThat(held(one)).isPositive();
		assertThat(this.store.remaining(one) + held(one)).isEqualTo(900);
		balanced();
	}

	// The failure policy decides all buckets but one.
	private static AcquireResult remoteOnly(Bucket remote, AcquireResult result) {
		AcquireRequest request = result.request();
		List<AcquireResultPart> parts = new ArrayList<>();
		for (int i = 0; i < request.charges().size(); i++) {
			Charge charge = request.charges().get(i);
			Source source = (charge.bucket().equals(remote)) ? Source.REMOTE : Source.FALLBACK;
			AcquireResult part = AcquireResult
				.of(request.with(List.of(charge)), new long[][] { result.charge(i).seen().orElseThrow() },
						result.allowed(), ReplayState.NONE, source, result.atMillis())
				.leasing(new long[] { result.charge(i).leased() });
			parts.add(new AcquireResultPart(part, new int[] { i }));
		}
		return (parts.size() == 1) ? parts.get(0).result() : CombinedResult.of(request, result.allowed(), false, parts);
	}

	@Test
	void severalLeasesAreDecidedHere() {
		Charge one = leased(this.family, "ann", 1);
		Charge two = leased(family("token-bucket", 1000), "ann", 1);
		for (int i = 0; i < 100; i++) {
			tryAcquire(one, two);
			pass(2);
		}
		assertThat(this.store.calls).hasValueLessThan(40);
		assertThat(tryAcquire(one, two).source()).isEqualTo(Source.LOCAL);
		balanced();
	}

	@Test
	void aRetryAsksTheStoreForEverything() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		int calls = this.store.calls.get();
		AcquireRequest retry = new AcquireRequest(List.of(new Charge(charge.bucket(), 1, charge.failure(),
				Stance.ENFORCED, true, Consistency.LEASED, charge.lease())),
				Optional.of(new ReplayMarker("ann", "id", 1000, 3, 10)), Long.MAX_VALUE);
		assertThat(this.stage.acquire(retry).join().source()).isEqualTo(Source.REMOTE);
		assertThat(this.store.calls).hasValue(calls + 1);
		assertThat(this.stage.acquire(retry).join().replayed()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "sliding-log", "leaky-bucket", "concurrency" })
	void someAlgorithmsAreNeverLeased(String algorithm) {
		Charge charge = leased(family(algorithm, 1000), "ann", 1);
		warm(charge, 100);
		assertThat(this.store.calls).hasValue(100);
		assertThat(this.stage.status().granted()).isZero();
	}

	@Test
	void strictWatchingAndPeekingChargesAskTheStore() {
		warm(Demands.charge(this.family, "ann", 1), 50);
		warm(Demands.shadow(this.family, "ann", 1).with(Consistency.LEASED), 50);
		warm(leased(this.family, "ann", 0), 50);
		assertThat(this.store.calls).hasValue(150);
	}

	@Test
	void bucketKnownToBeExhaustedIsRejectedLocally() {
		BucketFamily small = family("fixed-window", 3);
		Charge charge = leased(small, "ann", 2);
		assertThat(tryAcquire(charge).allowed()).isTrue();
		assertThat(tryAcquire(charge).allowed()).isFalse();
		int calls = this.store.calls.get();
		pass(400);
		AcquireResult again = tryAcquire(charge);
		assertThat(again.allowed()).isFalse();
		assertThat(again.source()).isEqualTo(Source.LOCAL);
		assertThat(again.verdicts().get(0).retryAfterMillis()).isEqualTo(59_600);
		assertThat(this.store.calls).hasValue(calls);
		assertThat(tryAcquire(leased(small, "ann", 1)).allowed()).as("a smaller cost fits").isTrue();
		pass(601);
		tryAcquire(charge);
		assertThat(this.store.calls).as("something may have been given back").hasValue(calls + 2);
	}

	@Test
	void theWaitOfTheStoreIsToldHoweverOftenItRejects() {
		Charge charge = leased(family("fixed-window", 10), "ann", 1);
		assertThat(warm(charge, 10)).isEqualTo(10);
		int calls = this.store.calls.get();
		for (long left = 60_000 - 20; left > 0; left -= 300) {
			Verdict verdict = tryAcquire(charge).verdicts().get(0);
			assertThat(verdict.outcome()).isEqualTo(Outcome.REJECTED);
			assertThat(verdict.retryAfterMillis()).isEqualTo(left);
			pass(300);
		}
		assertThat(this.store.calls.get() - calls).as("at most once a second").isBetween(40, 60);
	}

	@Test
	void theRejectionsOfOneBurstCountOnce() {
		Charge all = leased(family("token-bucket", 600), "ann", 600);
		assertThat(tryAcquire(all).allowed()).isTrue();
		Charge one = leased(all.bucket().family(), "ann", 1);
		List<Runnable> replies = new ArrayList<>();
		this.store.way((result) -> {
			CompletableFuture<AcquireResult> reply = new CompletableFuture<>();
			replies.add(() -> reply.complete(result));
			return reply;
		});
		for (int i = 0; i < 5; i++) {
			this.stage.acquire(Demands.of(one));
		}
		replies.forEach((reply) -> {
			pass(30);
			reply.run();
		});
		this.store.way(CompletableFuture::completedFuture);
		pass(101);
		assertThat(tryAcquire(one).allowed()).as("a unit each 100 ms").isTrue();
	}

	@Test
	void aRequestThatHasWaitedIsNotRejectedForAnother() {
		Charge all = leased(family("token-bucket", 600), "ann", 600);
		Charge one = leased(all.bucket().family(), "ann", 1);
		assertThat(tryAcquire(all).allowed()).isTrue();
		for (int i = 0; i < 4; i++) {
			assertThat(tryAcquire(one).allowed()).isFalse();
			pass(1001);
			this.store.acquire(Demands.of(leased(all.bucket().family(), "ann", 10)));
		}
		assertThat(tryAcquire(one).allowed()).isFalse();
		pass(101);
		Verdict verdict = tryAcquire(one).verdicts().get(0);
		assertThat(verdict.outcome()).isEqualTo(Outcome.REJECTED);
		assertThat(verdict.retryAfterMillis()).as("what the store said is over").isOne();
		assertThat(this.stage.acquire(Demands.of(one).waited()).join().allowed()).isTrue();
	}

	@Test
	void aFloodOfOtherBucketsChangesNothing() {
		Charge all = leased(family("token-bucket", 600), "ann", 600);
		Charge one = leased(all.bucket().family(), "ann", 1);
		for (int i = 0; i < 20_000; i++) {
			tryAcquire(leased(all.bucket().family(), "flood-" + i, 600));
			tryAcquire(leased(all.bucket().family(), "flood-" + i, 1));
		}
		assertThat(tryAcquire(all).allowed()).isTrue();
		assertThat(tryAcquire(one).allowed()).isFalse();
		pass(101);
		assertThat(tryAcquire(one).allowed()).isTrue();
	}

	@Test
	void aCostThatNeverFitsIsRejectedHere() {
		Charge charge = leased(this.family, "ann", 1001);
		for (int i = 0; i < 100; i++) {
			Verdict verdict = tryAcquire(charge).verdicts().get(0);
			assertThat(verdict.outcome()).isEqualTo(Outcome.REJECTED);
			assertThat(verdict.retryAfterMillis()).isEqualTo(Wait.NEVER);
		}
		assertThat(this.store.calls).hasValue(1);
		assertThat(tryAcquire(leased(this.family, "ann", 1000)).allowed()).isTrue();
		assertThat(tryAcquire(leased(this.family, "ann", 1)).allowed()).isFalse();
		assertThat(tryAcquire(charge).verdicts().get(0).retryAfterMillis()).isEqualTo(Wait.NEVER);
	}

	@Test
	void aCostThatNeverFitsDoesNotHideThatTheBucketIsEmpty() {
		assertThat(tryAcquire(leased(this.family, "ann", 1000)).allowed()).isTrue();
		assertThat(tryAcquire(leased(this.family, "ann", 1)).allowed()).isFalse();
		int calls = this.store.calls.get();
		for (int i = 0; i < 10; i++) {
			tryAcquire(leased(this.family, "ann", 1001 + i));
			tryAcquire(leased(this.family, "ann", 1));
		}
		assertThat(this.store.calls).hasValue(calls);
	}

	@Test
	void automaticRulesAreLeasedWhereTheyAreBusy() {
		Charge busy = Demands.charge(this.family, "busy", 1).with(Consistency.AUTO);
		Charge quiet = Demands.charge(this.family, "quiet", 1).with(Consistency.AUTO);
		for (int i = 0; i < 200; i++) {
			tryAcquire(busy);
			if (i % 20 == 0) {
				tryAcquire(quiet);
			}
			pass(5);
		}
		assertThat(this.stage.status().local()).isGreaterThan(150);
		assertThat(held(busy)).isPositive();
		assertThat(this.stage.units().find(quiet.bucket())).isNull();
	}

	@ParameterizedTest
	@EnumSource(value = Consistency.class, names = { "LEASED", "AUTO" })
	void manyQuietBucketsAreChargedAsIfTheyWereStrict(Consistency consistency) {
		Random random = new Random(42);
		for (int i = 0; i < 100_000; i++) {
			AcquireRequest demand = Demands
				.of(Demands.charge(this.family, "caller" + random.nextInt(100_000), 1).with(consistency));
			this.stage.acquire(demand).join();
			assertThat(this.store.demands.remove(0)).isSameAs(demand);
			this.nanos += 11_000;
		}
		assertThat(this.stage.status().remote()).isEqualTo(100_000);
		assertThat(this.stage.status().local()).isZero();
	}

	@Test
	void oneExpensiveRequestIsNoDemand() {
		Charge charge = leased(this.family, "ann", 100);
		tryAcquire(charge);
		pass(20);
		tryAcquire(charge);
		assertThat(this.store.demands).noneMatch(AcquireRequest::leases);
	}

	@Test
	void rejectionOfQuietBucketIsRemembered() {
		Charge charge = leased(family("fixed-window", 3), "ann", 1);
		for (int i = 0; i < 4; i++) {
			tryAcquire(charge);
			pass(500);
		}
		int calls = this.store.calls.get();
		assertThat(tryAcquire(charge).source()).isEqualTo(Source.LOCAL);
		assertThat(this.store.calls).hasValue(calls);
	}

	@Test
	void leasedUnitsAreChargedLocally() {
		Charge charge = leased(this.family, "ann", 1);
		ChargeTerms terms = new ChargeTerms(FailurePolicy.OPEN, Stance.ENFORCED, false, Consistency.LEASED);
		ReservationTerms corrections = new ReservationTerms(this.stage, false);
		assertThat(this.stage.chargeLocally(this.family, "ann", 1, terms, corrections)).isNull();
		warm(charge, 100);
		long held = held(charge);
		LocalCharge spent = this.stage.chargeLocally(this.family, "ann", 1, terms, corrections);
		assertThat(spent).isNotNull()
			.singleElement()
			.isEqualTo(new Verdict(this.family.policy(), Outcome.ALLOWED, 1, 899, 0, 59_800, 59_800));
		assertThat(held(charge)).isEqualTo(held - 1);
		spent.cancel();
		assertThat(held(charge)).isEqualTo(held);
		assertThat(this.store.settled).isEmpty();
		ChargeTerms strict = new ChargeTerms(FailurePolicy.OPEN, Stance.ENFORCED, false, Consistency.STRICT);
		assertThat(this.stage.chargeLocally(this.family, "ann", 1, strict, corrections)).isNull();
		assertThat(this.stage.chargeLocally(family("fixed-window", 1000), "ann", 1, terms, corrections))
			.as("the limit has changed")
			.isNull();
		balanced();
	}

	@Test
	void localChargesFetchUnitsAheadOfNeed() {
		Charge charge = leased(this.family, "ann", 1);
		ChargeTerms terms = new ChargeTerms(FailurePolicy.CLOSED, Stance.ENFORCED, false, Consistency.LEASED);
		warm(charge, 100);
		int calls = this.store.calls.get();
		for (int i = 0; i < 200; i++) {
			assertThat(this.stage.chargeLocally(this.family, "ann", 1, terms, new ReservationTerms(this.stage, false)))
				.isNotNull();
			pass(2);
		}
		assertThat(this.store.demands.subList(calls, this.store.demands.size())).isNotEmpty()
			.allMatch((demand) -> demand.charges().get(0).failure() == FailurePolicy.CLOSED);
		balanced();
	}

	@Test
	void quietBucketsCostNoMemory() {
		for (int i = 0; i < 1000; i++) {
			tryAcquire(leased(this.family, "caller" + i, 1));
			pass(50);
		}
		assertThat(this.stage.status().granted()).isZero();
	}

	@Test
	void onlySoManyBucketsAreLeased() {
		LeaseSettings two = new LeaseSettings(Duration.ofSeconds(2), Duration.ofMillis(200), 20, 2,
				Duration.ofMillis(50));
		LeasedLimitStore bounded = new LeasedLimitStore(this.store, two, () -> this.nanos, Guards.NO_UPKEEP);
		for (int i = 0; i < 90; i++) {
			bounded.acquire(Demands.of(leased(this.family, "caller" + i % 3, 1))).join();
			pass(1);
		}
		long leased = IntStream.range(0, 3)
			.filter((i) -> bounded.units().find(leased(this.family, "caller" + i, 1).bucket()) != null)
			.count();
		assertThat(leased).isEqualTo(2);
	}

	@Test
	void inAnOutageLeasesAreSpentToTheirEnd() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		long held = held(charge);
		assertThat(held).isGreaterThan(5);
		this.store.way((answer) -> CompletableFuture.failedFuture(new StoreException(Kind.CONNECTION, "away", null)));
		for (int i = 0; i < held; i++) {
			assertThat(tryAcquire(charge).source()).isEqualTo(Source.LOCAL);
		}
		assertThatThrownBy(() -> tryAcquire(charge)).hasCauseInstanceOf(StoreException.class);
		this.store.way(CompletableFuture::completedFuture);
		assertThat(tryAcquire(charge).allowed()).isTrue();
		balanced();
	}

	@Test
	void canceledChargeReturnsToItsLease() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		AcquireResult answer = tryAcquire(charge);
		assertThat(answer.source()).isEqualTo(Source.LOCAL);
		long held = held(charge);
		this.stage.settle(List.of(new Settlement(answer.charge(0).bucket(), answer.charge(0).takenAtMillis(), -1)))
			.join();
		assertThat(held(charge)).isEqualTo(held + 1);
		assertThat(this.store.settled).isEmpty();
		balanced();
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra" })
	void aChargeThatHasRefilledIsNotPutBack(String algorithm) {
		Charge charge = leased(Demands.family("quick", new Limit(algorithm, 1000, Duration.ofSeconds(1), 1000)), "ann",
				1);
		warm(charge, 100);
		AcquireResult answer = tryAcquire(charge);
		assertThat(answer.source()).isEqualTo(Source.LOCAL);
		warm(charge, 600);
		assertThat(tryAcquire(charge).source()).isEqualTo(Source.LOCAL);
		long held = held(charge);
		this.stage.settle(List.of(new Settlement(answer.charge(0).bucket(), answer.charge(0).takenAtMillis(), -1)))
			.join();
		assertThat(held(charge)).isEqualTo(held);
		assertThat(this.stage.status().refunded()).isZero();
		assertThat(this.store.settled).as("the store decides").hasSize(1);
		balanced();
	}

	@Test
	void fallbackChargeIsNotRefundedToTheLease() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		AcquireResult answer = tryAcquire(charge);
		long held = held(charge);
		Bucket counted = new Bucket(this.family, "ann") {
			@Override
			public boolean isFallback() {
				return true;
			}
		};
		this.stage.settle(List.of(new Settlement(counted, answer.charge(0).takenAtMillis(), -1))).join();
		assertThat(held(charge)).isEqualTo(held);
		assertThat(this.store.settled).singleElement().returns(counted, Settlement::bucket);
	}

	@Test
	void canceledChargeOfClosedLeaseIsRefundedInStore() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		AcquireResult answer = tryAcquire(charge);
		this.stage.close();
		this.stage.settle(List.of(new Settlement(answer.charge(0).bucket(), answer.charge(0).takenAtMillis(), -1)))
			.join();
		assertThat(this.store.remaining(charge)).isEqualTo(900);
	}

	@Test
	void canceledChargeIsNotReturnedToTheNextWindow() {
		Charge charge = leased(this.family, "ann", 1);
		pass(59_700);
		warm(charge, 100);
		AcquireResult answer = tryAcquire(charge);
		pass(110);
		warm(charge, 100);
		long held = held(charge);
		this.stage.settle(List.of(new Settlement(answer.charge(0).bucket(), answer.charge(0).takenAtMillis(), -1)))
			.join();
		assertThat(held(charge)).isEqualTo(held);
		assertThat(this.store.remaining(charge) + held).isEqualTo(900);
	}

	@Test
	void unitsAreFetchedAheadOfNeedByOneCallAtATime() {
		Charge charge = leased(this.family, "ann", 1);
		warm(charge, 100);
		int calls = this.store.calls.get();
		CompletableFuture<AcquireResult> reply = new CompletableFuture<>();
		AcquireResult[] pending = new AcquireResult[1];
		this.store.way((answer) -> {
			pending[0] = answer;
			return reply;
		});
		while (held(charge) > 1) {
			assertThat(tryAcquire(charge).source()).isEqualTo(Source.LOCAL);
		}
		assertThat(this.store.calls).hasValue(calls + 1);
		reply.complete(pending[0]);
		assertThat(held(charge)).isGreaterThan(5);
		balanced();
	}

}
