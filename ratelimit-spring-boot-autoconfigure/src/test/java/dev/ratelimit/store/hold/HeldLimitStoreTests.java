package dev.ratelimit.store.hold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.StoreStageContract;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HeldLimitStoreTests implements StoreStageContract {

	private static final long TODAY = 60_000_000_000L;

	private static final long MAX_HOLD_MILLIS = Duration.ofHours(1).toMillis();

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final MemoryLimitStore memory = new MemoryLimitStore(100_000, this.clock::get);

	private final FlakyStore flaky = new FlakyStore(this.memory);

	private final HeldLimitStore store = new HeldLimitStore(this.flaky, (rule) -> MAX_HOLD_MILLIS,
			() -> TimeUnit.MILLISECONDS.toNanos(this.clock.get()), Guards.NO_UPKEEP);

	private final BucketFamily slots = Demands.concurrent("slots", Limits.concurrent(3, Duration.ofSeconds(30)));

	@AfterEach
	void close() {
		this.store.close();
	}

	@Override
	public StoreStage store() {
		return this.store;
	}

	@Override
	public void at(long millis) {
		this.clock.set(TODAY + millis);
	}

	@Override
	public long remembered() {
		return this.memory.size();
	}

	private AcquireResult take() {
		return tryAcquire(Demands.charge(this.slots, "ann", 1));
	}

	private void release(AcquireResult taken) {
		this.store.settle(taken.refunds()).join();
	}

	// Return the number of free slots in the store itself.
	private long left() {
		return left("ann");
	}

	private long left(String subject) {
		return this.memory.acquire(Demands.of(Demands.charge(this.slots, subject, 0)))
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

	@Test
	void aRequestThatTakesLongerThanTheLeaseKeepsItsSlot() {
		AcquireResult taken = take();
		for (int i = 1; i <= 20; i++) {
			at(10_000 * i);
			this.store.renew();
			assertThat(left()).isEqualTo(2);
		}
		release(taken);
		assertThat(left()).isEqualTo(3);
		assertThat(this.store.status().held("slots")).isZero();
		assertThat(this.store.status().renewed()).isEqualTo(20);
	}

	@Test
	void nothingIsRenewedBeforeAThirdOfTheLease() {
		take();
		at(9_999);
		this.store.renew();
		assertThat(this.store.status().renewed()).isZero();
		at(10_000);
		this.store.renew();
		assertThat(this.store.status().renewed()).isOne();
	}

	@Test
	void aSlotIsReleasedOnce() {
		AcquireResult first = take();
		at(1);
		take();
		release(first);
		release(first);
		assertThat(left()).isEqualTo(2);
	}

	@Test
	void aSlotThatNobodyReleasesIsFreedAfterTheMaximum() {
		AcquireResult taken = take();
		at(MAX_HOLD_MILLIS);
		take();
		at(MAX_HOLD_MILLIS + 10_000);
		this.store.renew();
		assertThat(left()).isEqualTo(2);
		assertThat(this.store.status().ended()).isEqualTo(Map.of("slots", 1L));
		release(taken);
		assertThat(left()).isEqualTo(2);
	}

	@Test
	void aReleaseThatWasLostIsMadeGoodByTheNextRenewal() {
		AcquireResult first = take();
		AcquireResult second = take();
		this.flaky.fails = true;
		this.store.settle(first.refunds()).exceptionally((failure) -> null).join();
		this.store.settle(second.refunds()).exceptionally((failure) -> null).join();
		assertThat(left()).isOne();
		this.flaky.fails = false;
		this.store.renew();
		assertThat(left()).isEqualTo(3);
	}

	@Test
	void aRenewalThatFailedIsTriedAgainBeforeTheLeaseEnds() {
		take();
		this.flaky.fails = true;
		at(10_000);
		this.store.renew();
		this.flaky.fails = false;
		at(15_000);
		this.store.renew();
		assertThat(this.store.status().failed()).isOne();
		at(44_999);
		assertThat(left()).isEqualTo(2);
	}

	@Test
	void slotAllowedDuringOutageIsCountedAfterRecovery() {
		this.flaky.away = true;
		AcquireResult taken = take();
		assertThat(taken.source()).isEqualTo(Source.FALLBACK);
		assertThat(left()).isEqualTo(3);
		this.flaky.away = false;
		this.store.renew();
		assertThat(left()).isEqualTo(2);
		assertThat(this.store.status().reclaimed()).isOne();
		release(taken);
		this.store.renew();
		assertThat(left()).isEqualTo(3);
	}

	// Tests a bucket with known slots and one without.
	@ParameterizedTest
	@ValueSource(strings = { "held", "unknown" })
	void slotsBeyondThoseThatAreKnownAreReleasedWhereTheyAreCharged(String subject) {
		this.flaky.away = true;
		for (long i = 0; i < Holdings.MAX_SLOTS; i++) {
			tryAcquire(Demands.charge(this.slots, "held", 1));
		}
		this.flaky.away = false;
		for (int i = 0; i < 4; i++) {
			AcquireResult taken = tryAcquire(Demands.charge(this.slots, subject, 1));
			assertThat(left(subject)).isEqualTo(2);
			release(taken);
			assertThat(left(subject)).isEqualTo(3);
		}
		assertThat(this.store.status().held("slots")).isEqualTo(Holdings.MAX_SLOTS);
	}

	@Test
	void onlyBucketsWhoseRenewalFailedAreRenewedAgain() {
		tryAcquire(Demands.charge(this.slots, "ann", 1));
		tryAcquire(Demands.charge(this.slots, "bob", 1));
		this.flaky.failing = "bob";
		at(10_000);
		this.store.renew();
		assertThat(this.flaky.renewals).containsExactlyInAnyOrder("ann", "bob");
		assertThat(this.store.status().renewed()).isOne();
		assertThat(this.store.status().failed()).isOne();
		this.flaky.renewals.clear();
		at(15_000);
		this.store.renew();
		assertThat(this.flaky.renewals).containsExactly("bob");
	}

	// The store also forgets the slots after the lease.
	@Test
	void aReleasedBucketThatCannotBeRenewedIsForgottenAfterTheLease() {
		AcquireResult taken = tryAcquire(Demands.charge(this.slots, "bob", 1));
		this.flaky.failing = "bob";
		at(10_000);
		this.store.renew();
		release(taken);
		for (int second = 11; second <= 60; second++) {
			at(1000L * second);
			this.store.renew();
		}
		assertThat(this.flaky.renewals).as("every 5 s, for 30 s").hasSizeBetween(2, 8);
		this.flaky.renewals.clear();
		at(120_000);
		this.store.renew();
		assertThat(this.flaky.renewals).isEmpty();
	}

	@Test
	void aReleaseEndsTheChargeOfItsUnits() {
		BucketFamily many = Demands.concurrent("many", Limits.concurrent(20, Duration.ofSeconds(30)));
		tryAcquire(Demands.charge(many, "all", 10));
		AcquireResult one = tryAcquire(Demands.charge(many, "all", 1));
		release(one);
		at(10_000);
		this.store.renew();
		assertThat(this.memory.acquire(Demands.of(Demands.charge(many, "all", 0))).join().verdicts().get(0).remaining())
			.isEqualTo(10);
	}

	@Test
	void anInstanceThatStopsFreesItsSlots() {
		take();
		take();
		this.store.close();
		assertThat(left()).isEqualTo(3);
	}

	/**
	 * A store that may lose corrections or be unavailable.
	 */
	private static final class FlakyStore implements StoreStage {

		private final StoreStage store;

		private boolean fails;

		private boolean away;

		/** The subject whose renewals fail. */
		private String failing = "";

		private final List<String> renewals = new ArrayList<>();

		private FlakyStore(StoreStage store) {
			this.store = store;
		}

		@Override
		public String name() {
			return this.store.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			if (!this.away) {
				return this.store.acquire(request);
			}
			List<Verdict> verdicts = request.charges()
				.stream()
				.map((charge) -> Verdict.unmeasured(charge.bucket().family().policy(), Outcome.ALLOWED, charge.cost(),
						0))
				.toList();
			return CompletableFuture.completedFuture(AcquireResult.of(request, true, Source.FALLBACK, 0, verdicts));
		}

		@Override
		public CompletableFuture<Void> release(AcquireResult result) {
			return this.store.release(result);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return (this.fails) ? CompletableFuture.failedFuture(new IllegalStateException("lost"))
					: this.store.settle(settlements);
		}

		@Override
		public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
			if (this.fails) {
				return CompletableFuture.failedFuture(new IllegalStateException("lost"));
			}
			held.keySet().forEach((bucket) -> this.renewals.add(bucket.subject()));
			Map<Bucket, Long> renewed = new LinkedHashMap<>(held);
			renewed.keySet().removeIf((bucket) -> bucket.subject().equals(this.failing));
			List<Bucket> failed = held.keySet().stream().filter((bucket) -> !renewed.containsKey(bucket)).toList();
			return this.store.renew(renewed)
				.thenApply((done) -> SlotRenewal.of(List.of(done, SlotRenewal.failed(failed))));
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets);
		}

	}

}
