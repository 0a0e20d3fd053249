package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Guards;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the results that replace those of the store.
 */
class FallbackTests {

	private static final int INSTANCES = 3;

	private static final int ROOM = 2;

	private final StubStore stub = new StubStore();

	private final GuardedLimitStore store = guarded(Time.SYSTEM);

	private final BucketFamily family = Demands.perMinute("guarded", 10);

	@AfterEach
	void close() {
		this.store.close();
	}

	@Test
	void aLocalRuleCountsThisInstancesShare() {
		this.stub.fails(Kind.CONNECTION);
		for (int i = 2; i >= 0; i--) {
			Verdict verdict = tryAcquire(local("ann", 1)).verdicts().get(0);
			assertThat(verdict.outcome()).isEqualTo(Outcome.ALLOWED);
			assertThat(verdict.policy().capacity()).isEqualTo(3);
			assertThat(verdict.remaining()).isEqualTo(i);
		}
		AcquireResult rejected = tryAcquire(local("ann", 1));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.source()).isEqualTo(Source.FALLBACK);
		assertThat(rejected.verdicts().get(0).retryAfterMillis()).isEqualTo(20_000);
		assertThat(tryAcquire(local("bob", 1)).allowed()).isTrue();
	}

	@Test
	void usageIsKeptWhenTheNumberOfInstancesChanges() {
		AtomicInteger instances = new AtomicInteger(2);
		Fallback fallback = new Fallback(new MemoryLimitStore(1000, () -> 60_000_000L), instances::get, 1000,
				Time.SYSTEM);
		assertThat(allowed(fallback, 7)).isEqualTo(5);
		instances.set(3);
		assertThat(allowed(fallback, 7)).as("a smaller share").isZero();
		instances.set(1);
		assertThat(allowed(fallback, 12)).as("the whole limit, less the usage").isEqualTo(5);
		fallback.reset(List.of(new Bucket(this.family, "ann")));
		assertThat(allowed(fallback, 12)).as("after a reset").isEqualTo(10);
		instances.set(2);
		fallback.reset(List.of(new Bucket(this.family, "ann")));
		assertThat(allowed(fallback, 12)).as("a reset before a request with the new share").isEqualTo(5);
	}

	private int allowed(Fallback fallback, int requests) {
		return (int) IntStream.range(0, requests)
			.filter((i) -> fallback.result(Demands.of(local("ann", 1))).allowed())
			.count();
	}

	@Test
	void anOpenRuleCountsTheWholeLimitHere() {
		this.stub.fails(Kind.CONNECTION);
		for (int i = 9; i >= 0; i--) {
			AcquireResult allowed = tryAcquire(open("ann", 1));
			assertThat(allowed.source()).isEqualTo(Source.FALLBACK);
			assertThat(allowed.verdicts().get(0).outcome()).isEqualTo(Outcome.ALLOWED);
			assertThat(allowed.verdicts().get(0).policy().capacity()).isEqualTo(10);
			assertThat(allowed.verdicts().get(0).remaining()).isEqualTo(i);
		}
		AcquireResult rejected = tryAcquire(open("ann", 1));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.source()).isEqualTo(Source.FALLBACK);
		assertThat(rejected.verdicts().get(0).retryAfterMillis()).isEqualTo(6_000);
		assertThat(tryAcquire(open("bob", 1)).allowed()).isTrue();
	}

	@ParameterizedTest
	@EnumSource(value = FailurePolicy.class, names = { "OPEN", "LOCAL" })
	void aCostAboveTheWholeCapacityNeverFits(FailurePolicy policy) {
		this.stub.fails(Kind.CONNECTION);
		AcquireResult answer = tryAcquire(
				new Charge(new Bucket(this.family, "ann"), 11, policy, Stance.ENFORCED, false));
		assertThat(answer.allowed()).isFalse();
		assertThat(answer.verdicts().get(0).retryAfterMillis()).isEqualTo(Wait.NEVER);
		assertThat(tryAcquire(new Charge(new Bucket(this.family, "ann"), 10, policy, Stance.ENFORCED, false)).allowed())
			.isTrue();
	}

	@Test
	void openRuleChargeIsRefundedLocallyAfterRecovery() {
		this.stub.fails(Kind.CONNECTION);
		AcquireResult answer = tryAcquire(open("ann", 10));
		this.stub.answers(StubStore.admitting(Demands.of(open("ann", 1))));
		this.store.settle(List.of(new Settlement(answer.charge(0).bucket(), answer.charge(0).takenAtMillis(), -10)))
			.join();
		assertThat(this.stub.settled).isEmpty();
		this.stub.fails(Kind.CONNECTION);
		assertThat(tryAcquire(open("ann", 10)).allowed()).isTrue();
	}

	@Test
	void aResetAlsoResetsWhatIsCountedHere() {
		this.stub.fails(Kind.CONNECTION);
		tryAcquire(open("ann", 10));
		tryAcquire(local("ann", 3));
		this.store.reset(List.of(new Bucket(this.family, "ann"))).join();
		assertThat(tryAcquire(open("ann", 10)).allowed()).isTrue();
		assertThat(tryAcquire(local("ann", 3)).allowed()).isTrue();
	}

	@Test
	void aDemandWhoseDeadlineHasLongPassedIsCountedHere() {
		AcquireRequest late = Demands.within(Duration.ofMinutes(-1), open("ann", 10));
		assertThat(this.store.acquire(late).join().source()).isEqualTo(Source.FALLBACK);
		assertThat(this.store.acquire(late).join().allowed()).isFalse();
		assertThat(this.stub.calls).hasValue(0);
	}

	@Test
	void requestWithRecentlyExpiredDeadlineStillCallsTheStore() {
		Charge charge = open("ann", 1);
		this.stub.answers(StubStore.admitting(Demands.of(charge)));
		assertThat(this.store.acquire(Demands.within(Duration.ofMillis(-20), charge)).join().source())
			.isEqualTo(Source.REMOTE);
	}

	@Test
	void aQuarterOfThePlacesIsKeptForClosedRules() {
		this.stub.stalls();
		try (GuardedLimitStore guarded = Guards.of(this.stub, this.stub, INSTANCES,
				new GuardSettings(Duration.ofSeconds(7), Duration.ofMillis(50), 4), (event) -> {
				})) {
			for (int i = 0; i < 5; i++) {
				guarded.acquire(Demands.within(Duration.ofMinutes(1), open("client-" + i, 1)));
			}
			assertThat(this.stub.calls).hasValue(3);
			guarded.acquire(Demands.within(Duration.ofMinutes(1), Demands.closed(this.family, "login", 1)));
			assertThat(this.stub.calls).as("a login finds its place").hasValue(4);
			assertThat(guarded.acquire(Demands.of(Demands.closed(this.family, "login", 1)))).isCompleted();
		}
	}

	@Test
	void oneSubjectHasAtMostHalfOfThePlaces() {
		this.stub.stalls();
		try (GuardedLimitStore guarded = Guards.of(this.stub, this.stub, INSTANCES,
				new GuardSettings(Duration.ofSeconds(7), Duration.ofMillis(50), 8), (event) -> {
				})) {
			for (int i = 0; i < 20; i++) {
				guarded.acquire(Demands.within(Duration.ofMinutes(1), open("flood", 1)));
			}
			assertThat(this.stub.calls).hasValue(4);
			guarded.acquire(Demands.within(Duration.ofMinutes(1), ofAnotherPart(open("flood", 1))));
			assertThat(this.stub.calls).hasValue(5);
			assertThat(guarded.status().inFlight()).isEqualTo(5);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "global", "route:/api/**" })
	void aBucketOfAllClientsIsNotTheSubjectOfARequest(String shared) {
		this.stub.stalls();
		try (GuardedLimitStore guarded = Guards.of(this.stub, this.stub, INSTANCES,
				new GuardSettings(Duration.ofSeconds(7), Duration.ofMillis(50), 8), (event) -> {
				})) {
			for (int i = 0; i < 20; i++) {
				guarded.acquire(Demands.within(Duration.ofMinutes(1), open(shared, 1), open("flood", 1)));
			}
			assertThat(this.stub.calls).hasValue(4);
			guarded.acquire(Demands.within(Duration.ofMinutes(1), open(shared, 1), ofAnotherPart(open("flood", 1))));
			assertThat(this.stub.calls).hasValue(5);
		}
	}

	// The hash has a different key in each process, so two subjects may share a part by
	// chance.
	private Charge ofAnotherPart(Charge charge) {
		return IntStream.range(0, 1000)
			.mapToObj((number) -> open("other" + number, 1))
			.filter((other) -> StoreCallPermits.part(other.bucket()) != StoreCallPermits.part(charge.bucket()))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void aRejectionThatComesLateStillSaysThatTheBucketIsExhausted() {
		CompletableFuture<AcquireResult> late = new CompletableFuture<>();
		this.stub.answers(() -> late);
		Charge charge = open("ann", 4);
		assertThat(tryUntilDeadline(charge).allowed()).isTrue();
		late.complete(StubStore.refusing(Demands.of(charge), 30_000));
		this.stub.fails(Kind.CONNECTION);
		assertThat(tryAcquire(charge).allowed()).isFalse();
	}

	@Test
	void aCostAboveTheShareTakesAllOfIt() {
		this.stub.fails(Kind.CONNECTION);
		assertThat(tryAcquire(local("ann", 8)).allowed()).isTrue();
		assertThat(tryAcquire(local("ann", 1)).allowed()).isFalse();
	}

	@Test
	void localChargeIsRefundedLocally() {
		this.stub.fails(Kind.CONNECTION);
		AcquireResult answer = tryAcquire(local("ann", 3));
		this.store.settle(List.of(new Settlement(answer.charge(0).bucket(), answer.charge(0).takenAtMillis(), -3)))
			.join();
		AcquireResult again = tryAcquire(local("ann", 3));
		assertThat(again.allowed()).isTrue();
		this.store.release(again).join();
		assertThat(tryAcquire(local("ann", 3)).allowed()).isTrue();
		assertThat(this.stub.settled).isEmpty();
	}

	@Test
	void localChargeIsRefundedLocallyAfterInstancesJoin() {
		AtomicInteger fleet = new AtomicInteger(1);
		Duration second = Duration.ofSeconds(1);
		MemoryLimitStore local = new MemoryLimitStore(10, () -> 0);
		try (GuardedLimitStore guarded = new GuardedLimitStore(this.stub, this.stub, local, fleet::get,
				new GuardSettings(second, second, ROOM), (event) -> {
				}, Time.SYSTEM, Guards.UPKEEP)) {
			this.stub.fails(Kind.CONNECTION);
			AcquireResult answer = guarded.acquire(Demands.of(local("ann", 10))).join();
			fleet.set(2);
			assertThat(guarded.acquire(Demands.of(local("bob", 1))).join().allowed()).isTrue();
			guarded.settle(List.of(new Settlement(answer.charge(0).bucket(), 0, -10))).join();
			assertThat(this.stub.settled).isEmpty();
			fleet.set(1);
			assertThat(guarded.acquire(Demands.of(local("ann", 10))).join().allowed()).isTrue();
		}
	}

	@Test
	void aFallbackThatThrowsEndsTheCall() {
		StubStore local = new StubStore();
		local.answers(() -> {
			throw new IllegalStateException("on purpose");
		});
		this.stub.stalls();
		try (GuardedLimitStore guarded = new GuardedLimitStore(this.stub, this.stub, local, () -> 1,
				new GuardSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), ROOM), (event) -> {
				}, Time.SYSTEM, Guards.UPKEEP)) {
			assertThat(guarded.acquire(Demands.within(Duration.ofMillis(20), local("ann", 1))))
				.failsWithin(Duration.ofSeconds(5))
				.withThrowableThat()
				.withMessageContaining("on purpose");
		}
	}

	@Test
	void aClosedRuleLeavesLocalCountsAlone() {
		this.stub.fails(Kind.CONNECTION);
		for (int i = 0; i < 5; i++) {
			AcquireResult answer = tryAcquire(local("ann", 3), Demands.closed(this.family, "bob", 1));
			assertThat(answer.allowed()).isFalse();
			assertThat(answer.verdicts()).extracting(Verdict::outcome)
				.containsExactly(Outcome.SKIPPED, Outcome.FAILED_CLOSED);
		}
		assertThat(tryAcquire(local("ann", 3)).allowed()).isTrue();
	}

	@Test
	void openAndLocalRulesOfOneRequestAreCountedTogether() {
		this.stub.fails(Kind.CONNECTION);
		AcquireResult answer = tryAcquire(open("bob", 4), local("ann", 3));
		assertThat(answer.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.ALLOWED, Outcome.ALLOWED);
		assertThat(answer.verdicts()).extracting(Verdict::cost).containsExactly(4L, 3L);
		assertThat(tryAcquire(open("bob", 4), local("ann", 3)).allowed()).isFalse();
		assertThat(tryAcquire(open("bob", 6)).allowed()).as("a refused request takes nothing").isTrue();
	}

	@Test
	void aBucketThatIsKnownToBeEmptyStaysSo() {
		long now = System.nanoTime();
		Charge charge = Demands.charge(this.family, "ann", 4);
		this.stub.answers(StubStore.refusing(Demands.of(charge), 30_000));
		try (GuardedLimitStore frozen = guarded(() -> now)) {
			tryAcquire(frozen, charge);
			this.stub.fails(Kind.CONNECTION);
			AcquireResult answer = tryAcquire(frozen, charge);
			assertThat(answer.allowed()).isFalse();
			assertThat(answer.verdicts().get(0).outcome()).isEqualTo(Outcome.REJECTED);
			assertThat(answer.verdicts().get(0).retryAfterMillis()).isEqualTo(30_000);
			assertThat(tryAcquire(frozen, Demands.charge(this.family, "ann", 3)).allowed()).as("a cheaper one may fit")
				.isTrue();
			assertThat(tryAcquire(frozen, Demands.charge(this.family, "bob", 4)).allowed()).isTrue();
			frozen.reset(List.of(charge.bucket())).join();
			assertThat(tryAcquire(frozen, charge).allowed()).as("started afresh").isTrue();
		}
	}

	@Test
	void aBucketThatTheStoreReportsAsFreeAgainIsFree() {
		Charge charge = open("ann", 4);
		this.stub.answers(StubStore.refusing(Demands.of(charge), 3_600_000));
		tryAcquire(charge);
		this.stub.answers(StubStore.admitting(Demands.of(charge)));
		assertThat(tryAcquire(charge).source()).isEqualTo(Source.REMOTE);
		this.stub.fails(Kind.CONNECTION);
		assertThat(tryAcquire(charge).allowed()).isTrue();
	}

	@Test
	void aBucketWhoseLastChargeIsReleasedIsFree() {
		Charge charge = open("ann", 10);
		this.stub.answers(StubStore.admitting(Demands.of(charge)));
		AcquireResult last = tryAcquire(charge);
		this.store.release(last).join();
		this.stub.fails(Kind.CONNECTION);
		assertThat(tryAcquire(open("ann", 1)).allowed()).isTrue();
	}

	@Test
	void aBucketWhoseLastUnitTheStoreGaveIsKnownToBeExhausted() {
		Charge charge = open("ann", 10);
		this.stub.answers(StubStore.admitting(Demands.of(charge)));
		AcquireResult last = tryAcquire(charge);
		this.stub.fails(Kind.CONNECTION);
		assertThat(tryAcquire(open("ann", 1)).allowed()).isFalse();
		assertThat(tryAcquire(open("bob", 1)).allowed()).isTrue();
		this.store.settle(List.of(new Settlement(last.charge(0).bucket(), last.charge(0).takenAtMillis(), -10))).join();
		assertThat(tryAcquire(open("ann", 1)).allowed()).as("given back").isTrue();
	}

	@Test
	void callAboveTheBoundIsDecidedLocallyAtOnce() {
		this.stub.stalls();
		Charge first = open("first", 1);
		List.of(first, ofAnotherPart(first))
			.forEach((each) -> this.store.acquire(Demands.within(Duration.ofMinutes(1), each)));
		assertThat(this.store.status().inFlight()).isEqualTo(ROOM);
		List<Boolean> allowed = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			CompletableFuture<AcquireResult> answer = this.store
				.acquire(Demands.within(Duration.ofMinutes(1), Demands.charge(this.family, "ann", 1)));
			assertThat(answer).isDone();
			allowed.add(answer.join().allowed());
		}
		assertThat(allowed).containsOnly(true);
		assertThat(tryAcquire(open("ann", 6)).allowed()).isFalse();
		assertThat(tryAcquire(Demands.closed(this.family, "bob", 1)).allowed()).isFalse();
		assertThat(this.stub.calls).hasValue(ROOM);
		assertThat(this.store.status().errors(Kind.OVERLOAD)).isEqualTo(7);
	}

	@Test
	void thereIsRoomAgainOnceCallsAreOver() {
		CompletableFuture<AcquireResult> first = new CompletableFuture<>();
		AcquireRequest demand = Demands.of(Demands.charge(this.family, "ann", 1));
		this.stub.answers(() -> first);
		this.store.acquire(demand);
		first.complete(StubStore.admitting(demand));
		this.stub.stalls();
		tryUntilDeadline(Demands.charge(this.family, "late", 1));
		assertThat(this.store.status().inFlight()).isZero();
	}

	@Test
	void chargeWithReplyAfterTheDeadlineIsRefunded() {
		CompletableFuture<AcquireResult> late = new CompletableFuture<>();
		this.stub.answers(() -> late);
		Charge charge = Demands.charge(this.family, "ann", 4);
		assertThat(tryUntilDeadline(charge).source()).isEqualTo(Source.FALLBACK);
		late.complete(StubStore.admitting(Demands.of(charge)));
		assertThat(this.stub.settled).containsExactly(new Settlement(charge.bucket(), 0, -4));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aSlotThatWasTakenLateIsReleasedOnlyIfNoRenewalDoes(boolean renewed) {
		this.stub.renewsSlots = renewed;
		CompletableFuture<AcquireResult> late = new CompletableFuture<>();
		this.stub.answers(() -> late);
		BucketFamily slots = Demands.concurrent("slots", new Limit("concurrency", 10, Duration.ofMinutes(1), 10));
		Charge slot = Demands.charge(slots, "ann", 1);
		Charge units = Demands.charge(this.family, "ann", 4);
		assertThat(tryUntilDeadline(slot, units).allowed()).isTrue();
		late.complete(AcquireResult.of(Demands.of(slot, units), true, Source.REMOTE, 0,
				List.of(allowed(slot), allowed(units))));
		Settlement released = new Settlement(slot.bucket(), 0, -1);
		Settlement refunded = new Settlement(units.bucket(), 0, -4);
		assertThat(this.stub.settled)
			.containsExactlyElementsOf((renewed) ? List.of(refunded) : List.of(released, refunded));
	}

	@Test
	void lateRejectionIsNotRefunded() {
		CompletableFuture<AcquireResult> late = new CompletableFuture<>();
		this.stub.answers(() -> late);
		Charge charge = Demands.charge(this.family, "ann", 4);
		tryUntilDeadline(charge);
		late.complete(StubStore.refusing(Demands.of(charge), 1000));
		assertThat(this.stub.settled).isEmpty();
	}

	private static Verdict allowed(Charge charge) {
		return new Verdict(charge.bucket().family().policy(), Outcome.ALLOWED, charge.cost(), 0, 0, 0, 0);
	}

	private Charge open(String subject, long cost) {
		return Demands.charge(this.family, subject, cost);
	}

	private Charge local(String subject, long cost) {
		return new Charge(new Bucket(this.family, subject), cost, FailurePolicy.LOCAL, Stance.ENFORCED, false);
	}

	// A call that is sent too late is not sent at all, so the timeout is long. Without
	// upkeep, no debt is charged.
	private GuardedLimitStore guarded(Time time) {
		return new GuardedLimitStore(this.stub, this.stub, new MemoryLimitStore(1000, () -> 60_000_000L),
				() -> INSTANCES, new GuardSettings(Duration.ofSeconds(7), Duration.ofMillis(500), ROOM), (event) -> {
				}, time, Guards.NO_UPKEEP);
	}

	private AcquireResult tryAcquire(Charge... charges) {
		return tryAcquire(this.store, charges);
	}

	private static AcquireResult tryAcquire(GuardedLimitStore store, Charge... charges) {
		return store.acquire(Demands.of(charges)).orTimeout(30, TimeUnit.SECONDS).join();
	}

	private AcquireResult tryUntilDeadline(Charge... charges) {
		return this.store.acquire(Demands.within(Duration.ofMillis(50), charges))
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
	}

}
