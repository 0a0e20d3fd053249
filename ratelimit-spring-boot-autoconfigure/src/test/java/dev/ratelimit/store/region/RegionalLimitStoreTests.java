package dev.ratelimit.store.region;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.OtherFamilies;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.StoreStageContract;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Guards;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the store contract with limits that are shared with another region, and the
 * reports to that region.
 */
class RegionalLimitStoreTests implements StoreStageContract {

	private static final long TODAY = 60_000_000_000L;

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final BucketFamily family = Demands.perMinute("shared", 100).reported();

	private final AtomicLong clock = new AtomicLong(TODAY);

	private final MemoryLimitStore home = new MemoryLimitStore(1_000_000, this.clock::get);

	private final Far far = new Far();

	private final PeerRegion peer = new PeerRegion("us", this.far, this.far, TIMEOUT, this::nanos);

	private final RegionalLimitStore regional = new RegionalLimitStore(new Remote(this.home), List.of(this.peer),
			TIMEOUT, Guards.NO_UPKEEP, this::nanos);

	private final StoreStage all = new OtherFamilies(this.regional, BucketFamily::reported);

	@Override
	public LimitStore store() {
		return this.all;
	}

	@Override
	public void at(long millis) {
		this.clock.set(TODAY + millis);
	}

	@Override
	public long remembered() {
		return this.home.size();
	}

	private long nanos() {
		return TimeUnit.MILLISECONDS.toNanos(this.clock.get());
	}

	private AcquireResult charge(String subject, long cost) {
		return this.regional.acquire(Demands.of(Demands.charge(this.family, subject, cost))).join();
	}

	private void report() {
		this.peer.report();
	}

	@Test
	void chargesOfABucketAreOneReport() {
		charge("ann", 2);
		charge("ann", 3);
		charge("bob", 1);
		assertThat(this.far.reports).isEmpty();
		report();
		assertThat(this.far.reports).containsExactlyInAnyOrder("ann 5", "bob 1");
		report();
		assertThat(this.far.reports).hasSize(2);
		assertThat(this.peer.reportedUnits()).isEqualTo(6);
	}

	@Test
	void onlyWhatThisStoreChargedIsReported() {
		charge("ann", 101);
		charge("ann", 0);
		BucketFamily own = Demands.perMinute("own", 10);
		this.regional.acquire(Demands.of(Demands.charge(own, "ann", 1))).join();
		AcquireRequest retried = Demands.of(new ReplayMarker("bob", "once", 60_000, 3, 100),
				Demands.replayable(this.family, "bob", 1));
		this.regional.acquire(retried).join();
		this.regional.acquire(retried).join();
		report();
		assertThat(this.far.reports).containsExactly("bob 1");
	}

	@Test
	void fallbacksAreNotReported() {
		RegionalLimitStore down = new RegionalLimitStore(StoreStage.of(this.home), List.of(this.peer), TIMEOUT,
				Guards.NO_UPKEEP, this::nanos);
		assertThat(down.acquire(Demands.of(Demands.charge(this.family, "ann", 1))).join().source())
			.isEqualTo(Source.LOCAL);
		report();
		assertThat(this.far.reports).isEmpty();
	}

	@Test
	void refundsAndLaterChargesAreReported() {
		AcquireResult charged = charge("ann", 5);
		report();
		this.regional.release(charged).join();
		report();
		this.regional.settle(List.of(charged.charge(0).settlement(7))).join();
		report();
		assertThat(this.far.reports).containsExactly("ann 5", "ann -5", "ann 7");
	}

	@Test
	void refundedChargeIsNotReported() {
		this.regional.release(charge("ann", 5)).join();
		report();
		assertThat(this.far.reports).isEmpty();
		assertThat(this.far.calls).isZero();
	}

	@Test
	void chargesOfEndedWindowAreNotReported() {
		this.far.silent = true;
		charge("ann", 5);
		report();
		charge("ann", 1);
		at(61_000);
		this.far.silent = false;
		report();
		report();
		assertThat(this.far.reports).isEmpty();
		assertThat(this.peer.lostUnits()).isEqualTo(5);
	}

	@Test
	void aReportWithoutReplyIsNeverRepeated() {
		this.far.silent = true;
		charge("ann", 5);
		report();
		charge("ann", 2);
		report();
		assertThat(this.far.calls).as("while the first report may still have a reply").isEqualTo(1);
		at(1_000);
		report();
		assertThat(this.peer.isSilent()).isTrue();
		assertThat(this.peer.lostUnits()).isEqualTo(5);
		assertThat(this.peer.age()).isGreaterThanOrEqualTo(TIMEOUT);
		this.far.silent = false;
		at(2_000);
		report();
		assertThat(this.far.reports).as("it looks first").isEmpty();
		assertThat(this.peer.isSilent()).isFalse();
		report();
		assertThat(this.far.reports).containsExactly("ann 2");
	}

	@Test
	void aReportThatFailsIsNeverRepeated() {
		this.far.failing = true;
		charge("ann", 5);
		report();
		assertThat(this.peer.lostUnits()).isEqualTo(5);
		this.far.failing = false;
		charge("ann", 1);
		report();
		report();
		assertThat(this.far.reports).containsExactly("ann 1");
	}

	// Such as a Redis without free memory: it is certain that nothing was charged.
	@Test
	void chargesThatAreRejectedAreReportedOnceTheyAreAccepted() {
		this.far.nodes = Set.of("near");
		this.far.onReport = () -> CompletableFuture
			.failedFuture(StoreException.uncharged(StoreException.Kind.SCRIPT, "OOM", null));
		for (int i = 0; i < 10; i++) {
			charge("ann", 1);
			charge("bob", 2);
			at(i * 200L);
			report();
			assertThat(this.peer.isSilent()).as("also after a read").isTrue();
		}
		assertThat(this.peer.lostUnits()).isZero();
		this.far.reports.clear();
		this.far.onReport = () -> CompletableFuture.completedFuture(null);
		report();
		assertThat(this.peer.isSilent()).isFalse();
		report();
		assertThat(this.far.reports).containsExactlyInAnyOrder("ann 10", "bob 20");
		assertThat(this.peer.reportedUnits()).isEqualTo(30);
	}

	@Test
	void otherNodesGetReportsWhileOneIsDown() {
		this.far.downNodes.add("upper");
		charge("Ann", 5);
		charge("bob", 1);
		report();
		assertThat(this.far.reports).containsExactly("bob 1");
		assertThat(this.peer.lostUnits()).isEqualTo(5);
		for (int i = 1; i <= 3; i++) {
			at(1_000 * i);
			charge("Ann", 1);
			charge("Carl", 1);
			charge("bob", 1);
			report();
			assertThat(this.far.reports).hasSize(1 + i).containsOnly("bob 1");
		}
		assertThat(this.peer.lostUnits()).as("no charge is sent to a node that does not reply").isEqualTo(5);
		assertThat(this.peer.isSilent()).isTrue();
		assertThat(this.peer.age()).isEqualTo(Duration.ofSeconds(3));
		this.far.downNodes.clear();
		report();
		assertThat(this.peer.isSilent()).isFalse();
		report();
		assertThat(this.far.reports).contains("Ann 3", "Carl 3");
	}

	@Test
	void chargesForADownNodeThatNoLongerCountDoNotFillTheMemory() {
		this.far.downNodes.add("upper");
		charge("Ann", 5);
		report();
		charge("Ann", 2);
		charge("Carl", 2);
		at(200_000);
		report();
		assertThat(this.peer.droppedUnits()).as("of all buckets but the one that is read").isEqualTo(2);
		this.far.downNodes.clear();
		report();
		assertThat(this.peer.isSilent()).isFalse();
		report();
		assertThat(this.peer.droppedUnits()).isEqualTo(4);
		assertThat(this.far.reports).isEmpty();
	}

	@Test
	void aNodeThatHoldsNoBucketsAnyMoreIsForgotten() {
		this.far.downNodes.add("upper");
		charge("Ann", 5);
		report();
		assertThat(this.peer.isSilent()).isTrue();
		this.far.nodes = Set.of("near");
		charge("Ann", 1);
		report();
		assertThat(this.far.reports).containsExactly("Ann 1");
		assertThat(this.peer.isSilent()).isFalse();
		assertThat(this.peer.age()).isZero();
	}

	@Test
	void aResetForgetsWhatWasNotReportedYet() {
		charge("ann", 5);
		this.regional.reset(List.of(new Bucket(this.family, "ann"))).join();
		report();
		assertThat(this.far.reports).containsExactly("ann reset");
	}

	@Test
	void aReportHasManyCallsOfAHundredBuckets() {
		for (int i = 0; i < 7_250; i++) {
			charge("subject-" + i, 1);
		}
		report();
		assertThat(this.far.reports).hasSize(5_000);
		assertThat(this.far.calls).isEqualTo(50);
		report();
		assertThat(this.far.reports).hasSize(7_250).doesNotHaveDuplicates();
	}

	@Test
	void madeUpSubjectsDoNotFillTheMemory() {
		this.far.silent = true;
		charge("ann", 1);
		report();
		for (int i = 0; i < 1_000_000; i++) {
			charge("made-up-" + i, 1);
		}
		assertThat(this.peer.droppedUnits()).isEqualTo(900_000);
		at(1_000);
		this.far.silent = false;
		for (int i = 0; i < 30; i++) {
			report();
		}
		assertThat(this.far.reports).hasSize(100_000);
		charge("bob", 1);
		report();
		assertThat(this.far.reports).hasSize(100_001);
	}

	@Test
	void refundsOfFallbacksAreNotReported() {
		Bucket fallback = new Bucket(this.family, "ann") {

			@Override
			public boolean isFallback() {
				return true;
			}

		};
		this.regional.settle(List.of(new Settlement(fallback, TODAY, -5))).join();
		report();
		assertThat(this.far.reports).isEmpty();
	}

	@Test
	void windowsAreReportedApart() {
		BucketFamily fixed = Demands.family("fixed", new Limit("fixed-window", 10_000, Duration.ofMinutes(1), 10_000))
			.reported();
		at(59_000);
		AcquireResult former = this.regional.acquire(Demands.of(Demands.charge(fixed, "ann", 9_000))).join();
		report();
		at(60_100);
		this.regional.release(former).join();
		this.regional.acquire(Demands.of(Demands.charge(fixed, "ann", 500))).join();
		report();
		assertThat(this.far.reports).containsExactlyInAnyOrder("ann 9000", "ann -9000", "ann 500");
	}

	// The other region would charge them to its next window.
	@Test
	void chargesOfAWindowThatClosesBeforeTheReportArrivesAreNotReported() {
		BucketFamily fixed = Demands.family("fixed", new Limit("fixed-window", 100, Duration.ofMinutes(1), 100))
			.reported();
		at(59_700);
		this.regional.acquire(Demands.of(Demands.charge(fixed, "ann", 7))).join();
		at(59_880);
		report();
		assertThat(this.far.reports).containsExactly("ann 7");
		this.regional.acquire(Demands.of(Demands.charge(fixed, "ann", 60))).join();
		at(59_950);
		report();
		assertThat(this.far.reports).hasSize(1);
		assertThat(this.peer.droppedUnits()).isEqualTo(60);
	}

	@Test
	void chargesOfASlidingWindowCountInTheNextOne() {
		BucketFamily sliding = Demands.family("sliding", new Limit("sliding-window", 100, Duration.ofMinutes(1), 100))
			.reported();
		at(59_900);
		this.regional.acquire(Demands.of(Demands.charge(sliding, "ann", 7))).join();
		at(60_100);
		report();
		assertThat(this.far.reports).containsExactly("ann 7");
		at(119_000);
		this.regional.acquire(Demands.of(Demands.charge(sliding, "ann", 7))).join();
		at(180_000);
		report();
		assertThat(this.far.reports).hasSize(1);
		assertThat(this.peer.droppedUnits()).isEqualTo(7);
	}

	@Test
	void onlyWhatNoLongerCountsIsNotReported() {
		charge("ann", 50);
		at(59_000);
		charge("ann", 40);
		at(61_000);
		charge("ann", 1);
		report();
		assertThat(this.far.reports).containsExactly("ann 41");
		assertThat(this.peer.droppedUnits()).isEqualTo(50);
	}

	@Test
	void aLongSilenceIsNoDebt() {
		this.far.silent = true;
		charge("ann", 1);
		report();
		for (int second = 1; second <= 600; second++) {
			at(second * 1000L);
			charge("ann", 1);
		}
		this.far.silent = false;
		report();
		report();
		assertThat(this.far.reports).singleElement()
			.extracting((report) -> Integer.parseInt(report.split(" ")[1]))
			.satisfies((units) -> assertThat(units).isBetween(30, 60));
	}

	@Test
	void reportsTakeTurnsIfThereAreMoreBucketsThanOneHolds() {
		for (int round = 0; round < 4; round++) {
			for (int i = 0; i < 7_500; i++) {
				charge("subject-" + i, 1);
			}
			report();
		}
		assertThat(new HashSet<>(this.far.reports.stream().map((report) -> report.split(" ")[0]).toList()))
			.hasSize(7_500);
	}

	@Test
	void pendingChargesAreReportedOnClose() {
		charge("ann", 5);
		this.regional.close();
		assertThat(this.far.reports).containsExactly("ann 5");
	}

	@Test
	void whatIsChargedDuringAReportIsReportedOnClose() {
		CompletableFuture<Void> reply = new CompletableFuture<>();
		this.far.onReport = () -> {
			charge("bob", 2);
			return reply;
		};
		// The reply arrives when close has already found the report pending.
		Far last = new Far();
		last.onReport = () -> {
			reply.complete(null);
			return CompletableFuture.completedFuture(null);
		};
		PeerRegion second = new PeerRegion("asia", last, last, TIMEOUT, this::nanos);
		RegionalLimitStore both = new RegionalLimitStore(new Remote(this.home), List.of(this.peer, second), TIMEOUT,
				Guards.NO_UPKEEP, this::nanos);
		both.acquire(Demands.of(Demands.charge(this.family, "ann", 5))).join();
		report();
		this.far.onReport = () -> CompletableFuture.completedFuture(null);
		assertThat(reply).isNotDone();
		both.close();
		assertThat(this.far.reports).containsExactly("ann 5", "bob 2");
	}

	// The store of this region counts the additional usage in the current window too.
	@Test
	void whatACallUsesBeyondItsChargeIsReportedInTheWindowOfNow() {
		BucketFamily fixed = Demands.family("fixed", new Limit("fixed-window", 10_000, Duration.ofMinutes(1), 10_000))
			.reported();
		at(59_850);
		AcquireResult charged = this.regional.acquire(Demands.of(Demands.charge(fixed, "ann", 100))).join();
		report();
		at(60_050);
		this.regional.settle(List.of(charged.charge(0).settlement(1900))).join();
		at(60_250);
		report();
		assertThat(this.far.reports).containsExactly("ann 100", "ann 1900");
		assertThat(this.peer.droppedUnits()).isZero();
	}

	/**
	 * The store of this region, whose results have the source of a remote store.
	 *
	 * @param next the store
	 */
	private record Remote(MemoryLimitStore next) implements StoreStage {

		@Override
		public String name() {
			return this.next.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return this.next.acquire(request).thenApply((result) -> result.from(Source.REMOTE));
		}

		@Override
		public CompletableFuture<Void> release(AcquireResult result) {
			return this.next.release(result);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.next.settle(settlements);
		}

		@Override
		public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
			return this.next.renew(held);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.next.reset(buckets);
		}

	}

	/**
	 * Records the reports that it receives.
	 */
	private final class Far implements StoreStage, StoreNodes {

		private final List<String> reports = new ArrayList<>();

		private Supplier<CompletableFuture<Void>> onReport = () -> CompletableFuture.completedFuture(null);

		private int calls;

		private boolean silent;

		private boolean failing;

		private final Set<String> downNodes = new HashSet<>();

		private Set<String> nodes = Set.of("near", "upper");

		@Override
		public String name() {
			return "far";
		}

		/** Each subject with an uppercase letter has a separate node. */
		@Override
		public String nodeOf(Bucket bucket) {
			String node = Character.isUpperCase(bucket.subject().charAt(0)) ? "upper" : "near";
			return (this.nodes.contains(node)) ? node : "near";
		}

		@Override
		public Set<String> nodes() {
			return this.nodes;
		}

		@Override
		public void check(String node, Duration timeout) {
			throw new UnsupportedOperationException(node);
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return reply(request.charges().stream().map(Charge::bucket).toList(),
					() -> RegionalLimitStoreTests.this.home.acquire(request).join());
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return reply(settlements.stream().map(Settlement::bucket).toList(), () -> {
				settlements.forEach((one) -> this.reports.add(one.bucket().subject() + " " + one.units()));
				return this.onReport.get();
			}).thenCompose((done) -> done);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return reply(buckets, () -> {
				buckets.forEach((bucket) -> this.reports.add(bucket.subject() + " reset"));
				return null;
			});
		}

		private <T> CompletableFuture<T> reply(List<Bucket> buckets, Supplier<T> reply) {
			this.calls++;
			if (this.silent) {
				return new CompletableFuture<>();
			}
			return (this.failing || buckets.stream().map(this::nodeOf).anyMatch(this.downNodes::contains))
					? CompletableFuture.failedFuture(new IllegalStateException("down"))
					: CompletableFuture.completedFuture(reply.get());
		}

	}

}
