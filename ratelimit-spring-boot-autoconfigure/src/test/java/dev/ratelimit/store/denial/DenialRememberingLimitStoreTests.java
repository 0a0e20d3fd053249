package dev.ratelimit.store.denial;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResultPart;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.CombinedResult;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.test.Limits;
import dev.ratelimit.test.Parallel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that rejections by the store are remembered, and that no other results are.
 */
class DenialRememberingLimitStoreTests {

	private static final long START_MILLIS = 60_000_000_000L;

	private final long startNanos = System.nanoTime();

	private long nowMillis = START_MILLIS;

	private final RemoteMemory remote = new RemoteMemory(() -> this.nowMillis);

	private final DenialRememberingLimitStore store = new DenialRememberingLimitStore(this.remote,
			Duration.ofSeconds(1), this::nowNanos);

	private final BucketFamily family = Demands.perMinute("strict", 10);

	@Test
	void aFloodOfRejectedRequestsMakesOneCallASecond() {
		for (int i = 0; i < 10; i++) {
			assertThat(tryAcquire("ann", 1).allowed()).isTrue();
		}
		int before = this.remote.calls;
		for (int i = 0; i < 50; i++) {
			this.nowMillis += 100;
			assertThat(tryAcquire("ann", 1).allowed()).isFalse();
		}
		assertThat(this.remote.calls - before).isBetween(4, 10);
	}

	@ParameterizedTest
	@ValueSource(strings = { "token-bucket", "gcra", "fixed-window", "sliding-window", "sliding-log", "leaky-bucket" })
	void aFloodOfRejectedRequestsIsToldWhatTheStoreWouldTell(String algorithm) {
		BucketFamily limited = Demands.family("strict", new Limit(algorithm, 10, Duration.ofMinutes(1), 10));
		MirrorOfStore mirror = new MirrorOfStore(limited);
		int calls = this.remote.calls;
		for (int i = 0; i < 2000; i++) {
			this.nowMillis += 37;
			long cost = 1 + i % 3;
			Verdict here = this.store.acquire(Demands.of(Demands.charge(limited, "ann", cost)))
				.join()
				.verdicts()
				.get(0);
			mirror.assertThatAgrees(here, cost);
		}
		assertThat(this.remote.calls - calls).isLessThan(400);
	}

	@Test
	void anAdmissionThatLeavesNothingIsADenialOfTheNext() {
		tryAcquire("ann", 10);
		AcquireResult rejected = tryAcquire("ann", 1);
		assertThat(this.remote.calls).isEqualTo(1);
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.source()).isEqualTo(Source.LOCAL);
		assertThat(rejected.verdicts().get(0).retryAfterMillis()).isEqualTo(6000);
		assertThat(tryAcquire("ann", 3).verdicts().get(0).retryAfterMillis()).isEqualTo(18_000);
		assertThat(tryAcquire("ann", 11).verdicts().get(0).retryAfterMillis()).isEqualTo(Wait.NEVER);
		assertThat(this.remote.calls).isEqualTo(1);
		assertThat(tryAcquire("bob", 1).allowed()).isTrue();
	}

	@Test
	void aSmallerCostThanTheRejectedOneIsCalled() {
		tryAcquire("ann", 8);
		assertThat(tryAcquire("ann", 5).allowed()).isFalse();
		assertThat(tryAcquire("ann", 6).allowed()).isFalse();
		assertThat(this.remote.calls).isEqualTo(2);
		assertThat(tryAcquire("ann", 2).allowed()).isTrue();
		assertThat(this.remote.calls).isEqualTo(3);
	}

	@Test
	void denialIsTimedFromRequest() {
		tryAcquire("ann", 10);
		this.nowMillis += 5500;
		this.remote.holdsBack = true;
		CompletableFuture<AcquireResult> slow = acquire("ann", 1);
		this.nowMillis += 400;
		this.remote.answer();
		assertThat(slow.join().allowed()).isFalse();
		this.nowMillis += 98;
		assertThat(tryAcquire("ann", 1).allowed()).isFalse();
		this.nowMillis += 2;
		assertThat(tryAcquire("ann", 1).allowed()).as("6 s after the bucket was exhausted").isTrue();
	}

	@Test
	void oneRequestCallsTheStoreWhileOthersStayRejected() {
		tryAcquire("ann", 10);
		this.nowMillis += 1000;
		this.remote.holdsBack = true;
		CompletableFuture<AcquireResult> asking = acquire("ann", 1);
		assertThat(asking).isNotDone();
		for (int i = 0; i < 10; i++) {
			AcquireResult answer = tryAcquire("ann", 1);
			assertThat(answer.allowed()).isFalse();
			assertThat(answer.verdicts().get(0).retryAfterMillis()).isEqualTo(5000);
		}
		assertThat(this.remote.calls).isEqualTo(2);
		this.remote.answer();
		assertThat(asking.join().allowed()).isFalse();
		assertThat(tryAcquire("ann", 1).allowed()).isFalse();
		assertThat(this.remote.calls).isEqualTo(2);
	}

	@Test
	void failedCallLetsNextCallThrough() {
		tryAcquire("ann", 10);
		this.nowMillis += 1000;
		this.remote.fails = true;
		assertThat(acquire("ann", 1)).isCompletedExceptionally();
		this.remote.fails = false;
		this.remote.source = Source.FALLBACK;
		tryAcquire("ann", 1);
		this.remote.source = Source.REMOTE;
		this.remote.holdsBack = true;
		acquire("ann", 1);
		assertThat(this.remote.calls).isEqualTo(4);
		this.nowMillis += TimeUnit.MINUTES.toMillis(1);
		acquire("ann", 1);
		assertThat(this.remote.calls).as("its deadline has passed").isEqualTo(5);
	}

	@Test
	void oneRequestAtATimeCallsTheUnavailableStore() {
		tryAcquire("ann", 10);
		this.remote.source = Source.FALLBACK;
		for (int i = 0; i < 10; i++) {
			this.nowMillis += 1000;
			tryAcquire("ann", 1);
		}
		int before = this.remote.calls;
		this.remote.holdsBack = true;
		acquire("ann", 1);
		for (int i = 0; i < 20; i++) {
			acquire("ann", 1);
		}
		assertThat(this.remote.calls).isEqualTo(before + 1);
	}

	@Test
	void everyRejectionNamesWhatRejects() {
		tryAcquire("ann", 10);
		this.nowMillis += 1000;
		DenialRememberingLimitStore concurrent = new DenialRememberingLimitStore(new FallbackStore(this.remote),
				Duration.ofSeconds(1), this::nowNanos);
		concurrent.acquire(Demands.of(Demands.charge(this.family, "ann", 1))).join();
		this.nowMillis += 1000;
		Parallel.run(4, (thread) -> {
			for (int i = 0; i < 50_000; i++) {
				AcquireResult answer = concurrent.acquire(Demands.of(Demands.charge(this.family, "ann", 1))).join();
				assertThat(answer.allowed() || answer.verdicts().get(0).outcome() == Outcome.REJECTED).isTrue();
			}
			return thread;
		});
	}

	@Test
	void returningClientSharesStoreCall() {
		tryAcquire("ann", 10);
		this.nowMillis += 30_000;
		this.remote.holdsBack = true;
		acquire("ann", 1);
		acquire("ann", 1);
		assertThat(this.remote.calls).isEqualTo(3);
	}

	@Test
	void aFallbackIsNotRemembered() {
		this.remote.source = Source.FALLBACK;
		tryAcquire("ann", 10);
		tryAcquire("ann", 1);
		tryAcquire("ann", 1);
		assertThat(this.remote.calls).isEqualTo(3);
	}

	@Test
	void theRejectedOnesAreNamedAndNothingIsCharged() {
		BucketFamily other = Demands.perMinute("other", 5);
		tryAcquire("ann", 10);
		AcquireResult answer = this.store
			.acquire(Demands.of(Demands.charge(other, "ann", 1), Demands.charge(this.family, "ann", 1)))
			.join();
		assertThat(answer.allowed()).isFalse();
		assertThat(answer.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.SKIPPED, Outcome.REJECTED);
		assertThat(answer.refunds()).isEmpty();
		assertThat(this.store.acquire(Demands.of(Demands.charge(other, "ann", 5))).join().allowed()).isTrue();
	}

	@Test
	void rejectionsWhileAnotherSlotWasChargedAreForgottenWithItsRefund() {
		SlottedStore slots = new SlottedStore(this.remote);
		DenialRememberingLimitStore slotted = new DenialRememberingLimitStore(slots, Duration.ofSeconds(1),
				this::nowNanos);
		Charge ann = Demands.charge(this.family, "ann", 10);
		Charge bob = Demands.charge(this.family, "bob", 10);
		AcquireRequest both = Demands.of(ann, bob);
		this.remote.acquire(Demands.of(bob)).join();
		CompletableFuture<AcquireResult> result = slotted.acquire(both);
		AcquireResult charged = this.remote.acquire(Demands.of(ann)).join();
		assertThat(slotted.acquire(Demands.of(ann)).join().allowed()).isFalse();
		assertThat(slotted.acquire(Demands.of(ann)).join().allowed()).isFalse();
		assertThat(slots.calls).hasValue(2);
		this.remote.release(charged).join();
		slots.replies.get(0)
			.complete(CombinedResult.of(both, false, false,
					List.of(new AcquireResultPart(charged.withdrawn(), new int[] { 0 }),
							new AcquireResultPart(this.remote.acquire(Demands.of(bob)).join(), new int[] { 1 }))));
		assertThat(result).isCompleted();
		assertThat(slotted.acquire(Demands.of(ann)).join().allowed()).isTrue();
		assertThat(slotted.acquire(Demands.of(bob)).join().allowed()).isFalse();
		assertThat(slots.calls).hasValue(3);
	}

	@Test
	void aSharedBucketOfAFloodDoesNotPreventThatRejectionsAreRemembered() {
		SlottedStore slots = new SlottedStore(this.remote);
		DenialRememberingLimitStore slotted = new DenialRememberingLimitStore(slots, Duration.ofSeconds(1),
				this::nowNanos);
		Charge global = Demands.charge(Demands.perMinute("global", 1000), "global", 1);
		AcquireRequest ann = Demands.of(global, Demands.charge(this.family, "ann", 10));
		AcquireRequest bob = Demands.of(global, Demands.charge(this.family, "bob", 10));
		tryAcquire("ann", 10);
		tryAcquire("bob", 10);
		slotted.acquire(ann);
		slotted.acquire(bob);
		slots.replies.get(0).complete(rejectedByItsOwn(ann));
		slots.replies.get(1).complete(rejectedByItsOwn(bob));
		assertThat(slotted.acquire(ann)).isCompletedWithValueMatching((result) -> !result.allowed());
		assertThat(slotted.acquire(bob)).isCompletedWithValueMatching((result) -> !result.allowed());
		assertThat(slots.calls).hasValue(2);
	}

	// The bucket of the client is called first, so the shared one is not called.
	private AcquireResult rejectedByItsOwn(AcquireRequest request) {
		AcquireRequest global = Demands.of(request.charges().get(0));
		AcquireResult skipped = AcquireResult.of(global, false, Source.LOCAL, 0,
				List.of(Verdict.unmeasured(global.charges().get(0).bucket().family().policy(), Outcome.SKIPPED, 1, 0)));
		return CombinedResult.of(request, false, false,
				List.of(new AcquireResultPart(skipped, new int[] { 0 }), new AcquireResultPart(
						this.remote.acquire(Demands.of(request.charges().get(1))).join(), new int[] { 1 })));
	}

	@Test
	void aDemandThatIsRejectedElsewhereDoesNotKeepOthersFromAsking() {
		BucketFamily other = Demands.perMinute("other", 5);
		tryAcquire("ann", 10);
		this.nowMillis += 500;
		this.store.acquire(Demands.of(Demands.charge(other, "ann", 5))).join();
		this.nowMillis += 500;
		AcquireRequest both = Demands.of(Demands.charge(this.family, "ann", 1), Demands.charge(other, "ann", 1));
		assertThat(this.store.acquire(both).join().allowed()).isFalse();
		int before = this.remote.calls;
		tryAcquire("ann", 1);
		assertThat(this.remote.calls).isEqualTo(before + 1);
	}

	@Test
	void peeksShadowsSlotsLeasesAndReplaysAreCalled() {
		tryAcquire("ann", 10);
		assertThatIsCalled(Demands.charge(this.family, "ann", 0));
		assertThatIsCalled(Demands.shadow(this.family, "ann", 1));
		assertThatIsCalled(Demands.charge(this.family, "ann", 1).with(Consistency.LEASED));
		ReplayMarker marker = new ReplayMarker("ann", "id", 60_000, 3, 10);
		int before = this.remote.calls;
		this.store.acquire(Demands.of(marker, Demands.replayable(this.family, "ann", 1))).join();
		assertThat(this.remote.calls).isEqualTo(before + 1);
		BucketFamily slots = new BucketFamily(new Policy("slots", "slots", Limits.concurrent(1, Duration.ofMinutes(1)),
				Policy.Unit.CONCURRENT_REQUESTS, false), Algorithms.find("concurrency").orElseThrow());
		assertThatIsCalled(Demands.charge(slots, "ann", 1));
		assertThatIsCalled(Demands.charge(slots, "ann", 1));
	}

	@Test
	void anAdmissionOnCreditIsNotADenial() {
		BucketFamily credit = Demands.family("credit",
				new Limit(Algorithms.DEFAULT, 10, Duration.ofMinutes(1), 10, 5, Optional.empty(), false));
		this.store.acquire(Demands.of(Demands.charge(credit, "ann", 10))).join();
		assertThatIsCalled(Demands.charge(credit, "ann", 1));
	}

	@Test
	void aRefundAndAResetForget() {
		AcquireResult allowed = tryAcquire("ann", 10);
		this.store.settle(List.of(new Settlement(allowed.charge(0).bucket(), allowed.charge(0).takenAtMillis(), -4)))
			.join();
		assertThat(tryAcquire("ann", 4).allowed()).isTrue();
		this.store.reset(List.of(allowed.charge(0).bucket())).join();
		assertThat(tryAcquire("ann", 10).allowed()).isTrue();
	}

	@Test
	void anAnswerFromBeforeAResetIsNotRemembered() {
		tryAcquire("ann", 10);
		this.nowMillis += 1000;
		this.remote.holdsBack = true;
		CompletableFuture<AcquireResult> before = acquire("ann", 1);
		this.store.reset(List.of(Demands.charge(this.family, "ann", 1).bucket())).join();
		this.remote.answer();
		assertThat(before.join().allowed()).isFalse();
		assertThat(tryAcquire("ann", 1).allowed()).isTrue();
	}

	@Test
	void underAnotherCapacityNothingIsKnown() {
		tryAcquire("ann", 10);
		BucketFamily raised = Demands.family("strict", new Limit(Algorithms.DEFAULT, 10, Duration.ofMinutes(1), 20));
		assertThat(this.store.acquire(Demands.of(Demands.charge(raised, "ann", 1))).join().allowed()).isTrue();
	}

	private long nowNanos() {
		return this.startNanos + TimeUnit.MILLISECONDS.toNanos(this.nowMillis - START_MILLIS);
	}

	private void assertThatIsCalled(Charge charge) {
		int before = this.remote.calls;
		this.store.acquire(Demands.of(charge)).join();
		assertThat(this.remote.calls).isEqualTo(before + 1);
	}

	private AcquireResult tryAcquire(String subject, long cost) {
		CompletableFuture<AcquireResult> answer = acquire(subject, cost);
		assertThat(answer).isDone();
		return answer.join();
	}

	private CompletableFuture<AcquireResult> acquire(String subject, long cost) {
		return this.store.acquire(Demands.of(Demands.charge(this.family, subject, cost)));
	}

	/**
	 * The bucket as the store counts it: a second store that is charged for all allowed
	 * requests.
	 */
	private final class MirrorOfStore {

		private final RemoteMemory mirror = new RemoteMemory(() -> DenialRememberingLimitStoreTests.this.nowMillis);

		private final BucketFamily limited;

		MirrorOfStore(BucketFamily limited) {
			this.limited = limited;
		}

		void assertThatAgrees(Verdict here, long cost) {
			Verdict there = this.mirror.acquire(Demands.of(Demands.charge(this.limited, "ann", cost)))
				.join()
				.verdicts()
				.get(0);
			assertThat(here.outcome()).isEqualTo(there.outcome());
			if (this.limited.algorithm().equals("sliding-log") && here.outcome() == Outcome.REJECTED) {
				assertThat(here.retryAfterMillis()).isGreaterThanOrEqualTo(there.retryAfterMillis());
			}
			else {
				assertThat(here).isEqualTo(there);
			}
		}

	}

	/**
	 * A store that responds later to requests on several slots.
	 */
	private static final class SlottedStore implements StoreStage {

		private final StoreStage slot;

		private final AtomicInteger calls = new AtomicInteger();

		private final List<CompletableFuture<AcquireResult>> replies = new ArrayList<>();

		SlottedStore(StoreStage slot) {
			this.slot = slot;
		}

		@Override
		public String name() {
			return "slotted";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			this.calls.incrementAndGet();
			if (request.charges().size() == 1) {
				return this.slot.acquire(request);
			}
			CompletableFuture<AcquireResult> reply = new CompletableFuture<>();
			this.replies.add(reply);
			return reply;
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.slot.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.slot.reset(buckets);
		}

	}

	/**
	 * A store that forwards the first call and then returns fallback results.
	 */
	private static final class FallbackStore implements StoreStage {

		private final StoreStage once;

		private final AtomicInteger calls = new AtomicInteger();

		FallbackStore(StoreStage once) {
			this.once = once;
		}

		@Override
		public String name() {
			return "fallback";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			if (this.calls.getAndIncrement() == 0) {
				return this.once.acquire(demand);
			}
			Charge charge = demand.charges().get(0);
			return CompletableFuture.completedFuture(AcquireResult.of(demand, true, Source.FALLBACK, 0, List
				.of(Verdict.unmeasured(charge.bucket().family().policy(), Outcome.FAILED_OPEN, charge.cost(), 0))));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return CompletableFuture.completedFuture(null);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return CompletableFuture.completedFuture(null);
		}

	}

}
