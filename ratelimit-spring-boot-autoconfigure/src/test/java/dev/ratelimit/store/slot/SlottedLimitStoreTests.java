package dev.ratelimit.store.slot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Limits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests requests on several slots of a store that fails for individual slots.
 */
class SlottedLimitStoreTests {

	private final PerSlot perSlot = new PerSlot();

	private final AtomicLong nanos = new AtomicLong();

	private final SlottedLimitStore store = new SlottedLimitStore(this.perSlot, new LetterSlots(), this.nanos::get);

	private final BucketFamily user = Demands.perMinute("user", 10);

	private final BucketFamily global = Demands.perMinute("global", 100);

	private AcquireResult tryAcquire(Charge... charges) {
		return this.store.acquire(Demands.of(charges)).join();
	}

	private long remaining(BucketFamily family, String subject) {
		return this.perSlot.memory.acquire(Demands.of(Demands.charge(family, subject, 0)))
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

	@Test
	void aDemandOnOneSlotIsPassedOnAsItIs() {
		AcquireRequest demand = Demands.of(Demands.charge(this.user, "ann", 1), Demands.charge(this.global, "ann", 1));
		assertThat(this.store.acquire(demand).join().allowed()).isTrue();
		assertThat(this.perSlot.demands).singleElement()
			.satisfies((part) -> assertThat(part.charges()).isEqualTo(demand.charges()));
	}

	@Test
	void allPartsAreTakenOrNone() {
		assertThat(tryAcquire(Demands.charge(this.global, "total", 2), Demands.charge(this.user, "ann", 8)).allowed())
			.isTrue();
		AcquireResult rejected = tryAcquire(Demands.charge(this.global, "total", 2),
				Demands.charge(this.user, "ann", 8));
		assertThat(rejected.allowed()).isFalse();
		assertThat(rejected.verdicts()).extracting(Verdict::outcome).containsExactly(Outcome.ALLOWED, Outcome.REJECTED);
		assertThat(remaining(this.global, "total")).isEqualTo(98);
		assertThat(remaining(this.user, "ann")).isEqualTo(2);
	}

	@Test
	void failureRefundsTheChargesOfOtherSlots() {
		this.perSlot.failing = "ann";
		CompletableFuture<AcquireResult> answer = this.store
			.acquire(Demands.of(Demands.charge(this.global, "total", 2), Demands.charge(this.user, "ann", 1)));
		assertThat(answer).failsWithin(Duration.ofSeconds(1))
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class, (ex) -> assertThat(ex.kind()).isEqualTo(Kind.CONNECTION));
		assertThat(remaining(this.global, "total")).isEqualTo(100);
	}

	@Test
	void aSlotThatFailsLeavesTheRenewalsOfOthers() {
		this.perSlot.failing = "ann";
		BucketFamily slots = Demands.concurrent("slots", Limits.concurrent(3, Duration.ofSeconds(30)));
		Bucket ann = new Bucket(slots, "ann");
		Bucket bob = new Bucket(slots, "bob");
		SlotRenewal renewed = this.store.renew(Map.of(ann, 1L, bob, 1L)).join();
		assertThat(renewed.failed()).containsExactly(ann);
		assertThat(remaining(slots, "bob")).isEqualTo(2);
	}

	@Test
	void aRejectionCountsForMoreThanAFailure() {
		tryAcquire(Demands.charge(this.user, "bob", 10));
		this.perSlot.failing = "ann";
		assertThat(tryAcquire(Demands.charge(this.user, "ann", 1), Demands.charge(this.user, "bob", 1)).allowed())
			.isFalse();
	}

	@Test
	void slotThatRejectedRecentlyIsCalledFirst() {
		tryAcquire(Demands.charge(this.user, "ann", 10));
		Charge[] charges = { Demands.charge(this.global, "total", 1), Demands.charge(this.user, "ann", 1) };
		tryAcquire(charges);
		this.perSlot.demands.clear();
		assertThat(tryAcquire(charges).verdicts()).extracting(Verdict::outcome)
			.containsExactly(Outcome.SKIPPED, Outcome.REJECTED);
		assertThat(this.perSlot.demands).hasSize(1);
	}

	// Otherwise, a renewal would count a slot whose charge was not sent yet, and the
	// request would find it taken.
	@Test
	void aSlotOfARequestDoesNotWaitForARecentlyRejectedPart() {
		BucketFamily slots = Demands.concurrent("slots", Limits.concurrent(3, Duration.ofSeconds(30)));
		tryAcquire(Demands.charge(this.user, "bob", 10));
		tryAcquire(Demands.charge(this.user, "bob", 1), Demands.charge(this.global, "total", 1));
		this.perSlot.demands.clear();
		assertThat(tryAcquire(Demands.charge(slots, "zed", 1), Demands.charge(this.user, "bob", 1)).allowed())
			.isFalse();
		assertThat(this.perSlot.demands).hasSize(2);
		assertThat(remaining(slots, "zed")).isEqualTo(3);
	}

	@Test
	void theOtherSlotsAreAskedAlsoOnceTheDeadlineIsOver() {
		tryAcquire(Demands.charge(this.user, "ann", 10));
		List<Charge> charges = List.of(Demands.charge(this.global, "total", 1), Demands.charge(this.user, "ann", 1));
		AcquireRequest demand = new AcquireRequest(charges, Optional.empty(), TimeUnit.MILLISECONDS.toNanos(50));
		this.store.acquire(demand).join();
		this.perSlot.memory.reset(List.of(new Bucket(this.user, "ann")));
		this.nanos.set(TimeUnit.MILLISECONDS.toNanos(50));
		int before = this.perSlot.demands.size();
		assertThat(this.store.acquire(demand)).as("the guard of a slot answers by the policies of the rules")
			.succeedsWithin(Duration.ofSeconds(10))
			.matches(AcquireResult::allowed);
		assertThat(this.perSlot.demands).hasSize(before + 2);
		assertThat(remaining(this.user, "ann")).isEqualTo(9);
	}

	@Test
	void correctionsAndResetsGoToTheirSlots() {
		AcquireResult answer = tryAcquire(Demands.charge(this.global, "total", 5), Demands.charge(this.user, "ann", 5));
		this.store
			.settle(List.of(new Settlement(new Bucket(this.global, "total"), answer.charge(0).takenAtMillis(), -1),
					new Settlement(new Bucket(this.user, "ann"), answer.charge(1).takenAtMillis(), -2)))
			.join();
		assertThat(this.perSlot.corrections).hasSize(2);
		assertThat(remaining(this.global, "total")).isEqualTo(96);
		assertThat(remaining(this.user, "ann")).isEqualTo(7);
		this.store.reset(List.of(new Bucket(this.global, "total"), new Bucket(this.user, "ann"))).join();
		assertThat(remaining(this.user, "ann")).isEqualTo(10);
	}

	@Test
	void aWholeAnswerIsReleasedSlotBySlot() {
		AcquireResult answer = tryAcquire(Demands.charge(this.global, "total", 5), Demands.charge(this.user, "ann", 5));
		this.store.release(answer).join();
		assertThat(remaining(this.global, "total")).isEqualTo(100);
		assertThat(remaining(this.user, "ann")).isEqualTo(10);
	}

	/**
	 * A store that counts in memory and does not support requests on more than one slot.
	 */
	private static final class PerSlot implements StoreStage {

		final MemoryLimitStore memory = new MemoryLimitStore(100, () -> 60_000_000_000L);

		final List<AcquireRequest> demands = new ArrayList<>();

		final List<List<Settlement>> corrections = new ArrayList<>();

		String failing = "";

		@Override
		public String name() {
			return "per-slot";
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			this.demands.add(demand);
			requireOneSlot(demand.charges().stream().map(Charge::bucket).toList());
			return (demand.charges().get(0).bucket().subject().equals(this.failing))
					? CompletableFuture.failedFuture(new StoreException(Kind.CONNECTION, "away", null))
					: this.memory.acquire(demand);
		}

		@Override
		public CompletableFuture<Void> release(AcquireResult answer) {
			requireOneSlot(answer.request().charges().stream().map(Charge::bucket).toList());
			return this.memory.release(answer);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			this.corrections.add(settlements);
			requireOneSlot(settlements.stream().map(Settlement::bucket).toList());
			return this.memory.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			requireOneSlot(buckets);
			return this.memory.reset(buckets);
		}

		@Override
		public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
			requireOneSlot(List.copyOf(held.keySet()));
			return (held.keySet().iterator().next().subject().equals(this.failing))
					? CompletableFuture.failedFuture(new StoreException(Kind.CONNECTION, "away", null))
					: this.memory.renew(held);
		}

		private static void requireOneSlot(List<Bucket> buckets) {
			LetterSlots slots = new LetterSlots();
			assertThat(buckets.stream().map(slots::slotOf).distinct()).hasSize(1);
		}

	}

}
