package dev.ratelimit.store.region;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: another region, and what this instance has to report to it. Charges of a
 * bucket are added up between two reports. A call that fails, or has no reply in time, is
 * never repeated: it may have been counted. After that, one bucket is looked at in each
 * interval until the region replies, and charges add up meanwhile. Thread-safe.
 */
public final class PeerRegion {

	private static final Log logger = LogFactory.getLog(PeerRegion.class);

	private static final int MAX_BUCKETS = 100_000;

	private static final int MAX_OF_REPORT = 5_000;

	private static final int MAX_OF_CALL = 100;

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private final String name;

	private final StoreStage store;

	private final Duration patience;

	private final Time time;

	/**
	 * Windows of a bucket are apart: a refund of a window that has closed must not cancel
	 * charges of the next one.
	 */
	private final Map<Window, Pending> pending = new ConcurrentHashMap<>();

	/** Where the last report stopped, if it had no room for all. */
	private Iterator<Window> unreported = Collections.emptyIterator();

	private final AtomicReference<@Nullable Report> report = new AtomicReference<>();

	private final LongAdder reported = new LongAdder();

	private final LongAdder lost = new LongAdder();

	private final LongAdder dropped = new LongAdder();

	/** When the region replied last, or had nothing to reply to. */
	private volatile long repliedNanos;

	private volatile boolean silent;

	/**
	 * A region.
	 * @param name its name
	 * @param store its store, which answers requests on any slots
	 * @param patience how long to wait for a reply
	 * @param time the time
	 */
	public PeerRegion(String name, StoreStage store, Duration patience, Time time) {
		this.name = name;
		this.store = store;
		this.patience = patience;
		this.time = time;
		this.repliedNanos = time.nanos();
	}

	/**
	 * The name of the region.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * What was reported.
	 * @return units since the start, refunds not subtracted
	 */
	public long reportedUnits() {
		return this.reported.sum();
	}

	/**
	 * What was sent without a reply: it may have been counted.
	 * @return units since the start
	 */
	public long lostUnits() {
		return this.lost.sum();
	}

	/**
	 * What was not reported, because too many buckets were waiting for the next report,
	 * or because it did not count any more when the region replied again.
	 * @return units since the start
	 */
	public long droppedUnits() {
		return this.dropped.sum();
	}

	/**
	 * For how long the region has not replied while there was something to report.
	 * @return the time; about the interval between reports if all is well
	 */
	public Duration age() {
		return Duration.ofNanos((this.pending.isEmpty() && !this.silent) ? 0 : this.time.nanos() - this.repliedNanos);
	}

	/**
	 * Whether the last call had no reply.
	 * @return whether the regions count apart
	 */
	public boolean isSilent() {
		return this.silent;
	}

	void add(Settlement charge) {
		Window window = Window.of(charge);
		if (this.pending.size() >= MAX_BUCKETS && !this.pending.containsKey(window)) {
			this.dropped.add(Math.abs(charge.units()));
			return;
		}
		long nowNanos = this.time.nanos();
		this.pending.compute(window, (key, before) -> {
			if (before == null) {
				return Pending.of(window, charge, nowNanos);
			}
			Pending counting = before.at(nowNanos);
			this.dropped.add(Math.abs(before.total() - counting.total()));
			return counting.plus(charge.units());
		});
	}

	void reset(List<Bucket> buckets) {
		Set<Bucket> forgotten = Set.copyOf(buckets);
		this.pending.keySet().removeIf((window) -> forgotten.contains(window.bucket()));
		sent(() -> this.store.reset(buckets)).exceptionally((failure) -> {
			logger.warn("Failed to reset limits in the region '" + this.name + "'", failure);
			return null;
		});
	}

	/**
	 * Report what was charged since the last report, unless that has had no reply yet.
	 * @return completed when it has a reply, or is not waited for any longer
	 */
	synchronized CompletableFuture<Void> report() {
		long nowNanos = this.time.nanos();
		Report before = this.report.get();
		if (before != null) {
			if (nowNanos - before.sentNanos < this.patience.toNanos()) {
				return before.ended;
			}
			before.giveUp();
		}
		if (this.pending.isEmpty()) {
			if (!this.silent) {
				this.repliedNanos = nowNanos;
			}
			return DONE;
		}
		boolean looks = this.silent;
		Report next = new Report(nowNanos, looks, (looks) ? List.of() : taken());
		if (!this.report.compareAndSet(null, next)) {
			return DONE;
		}
		next.send();
		return next.ended;
	}

	private List<Settlement> taken() {
		List<Settlement> taken = new ArrayList<>();
		long nowNanos = this.time.nanos();
		// In turns: else those at the end of the table would wait until they are over.
		boolean again = true;
		while (taken.size() < MAX_OF_REPORT && (this.unreported.hasNext() || again)) {
			if (!this.unreported.hasNext()) {
				this.unreported = this.pending.keySet().iterator();
				again = false;
				continue;
			}
			Window window = this.unreported.next();
			Pending charges = this.pending.remove(window);
			if (charges != null) {
				long units = charges.at(nowNanos).total();
				this.dropped.add(Math.abs(charges.total() - units));
				if (units != 0) {
					taken.add(new Settlement(window.bucket(), charges.firstMillis(), units));
				}
			}
		}
		return taken;
	}

	private void ended(List<Settlement> charges, boolean replied) {
		LongAdder count = (replied) ? this.reported : this.lost;
		charges.forEach((charge) -> count.add(Math.max(0, charge.units())));
		if (replied) {
			this.repliedNanos = this.time.nanos();
		}
		if (this.silent == replied) {
			this.silent = !replied;
			if (replied) {
				logger.info("The region '" + this.name + "' replies again");
			}
			else {
				logger.warn("The region '" + this.name + "' does not reply: until it does, limits that are shared with"
						+ " it are counted in each region alone");
			}
		}
	}

	private static <T> CompletableFuture<T> sent(Supplier<CompletableFuture<T>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * A report, in one or more calls. What has no reply when it is given up is lost, also
	 * if there is a reply later.
	 */
	private final class Report {

		private static final int LOOK = -1;

		private final long sentNanos;

		private final boolean looks;

		private final List<List<Settlement>> parts = new ArrayList<>();

		/** The indexes of the parts without a reply. */
		private final Set<Integer> open = ConcurrentHashMap.newKeySet();

		private final CompletableFuture<Void> ended = new CompletableFuture<>();

		Report(long sentNanos, boolean looks, List<Settlement> charges) {
			this.sentNanos = sentNanos;
			this.looks = looks;
			for (int i = 0; i < charges.size(); i += MAX_OF_CALL) {
				this.open.add(this.parts.size());
				this.parts.add(charges.subList(i, Math.min(charges.size(), i + MAX_OF_CALL)));
			}
		}

		void send() {
			if (this.looks) {
				look();
				return;
			}
			for (int i = 0; i < this.parts.size(); i++) {
				int index = i;
				sent(() -> PeerRegion.this.store.settle(this.parts.get(index)))
					.whenComplete((nothing, failure) -> end(index, failure == null));
			}
			endIfReplied();
		}

		// Charges nothing, so that it can be repeated.
		private void look() {
			Window window = PeerRegion.this.pending.keySet().stream().findFirst().orElse(null);
			if (window == null) {
				endIfReplied();
				return;
			}
			this.open.add(LOOK);
			Charge peek = new Charge(window.bucket(), 0, FailurePolicy.OPEN, Stance.ENFORCED, false);
			AcquireRequest request = new AcquireRequest(List.of(peek), Optional.empty(),
					this.sentNanos + PeerRegion.this.patience.toNanos());
			sent(() -> PeerRegion.this.store.acquire(request))
				.whenComplete((result, failure) -> end(LOOK, failure == null));
		}

		private void end(int index, boolean replied) {
			if (this.open.remove(index)) {
				ended((index == LOOK) ? List.of() : this.parts.get(index), replied);
			}
			endIfReplied();
		}

		private void endIfReplied() {
			if (this.open.isEmpty()) {
				PeerRegion.this.report.compareAndSet(this, null);
				this.ended.complete(null);
			}
		}

		void giveUp() {
			List.copyOf(this.open).forEach((index) -> end(index, false));
			endIfReplied();
		}

	}

	/**
	 * A window of a bucket.
	 *
	 * @param bucket the bucket
	 * @param closesMillis the store's time when the window closes; very late if the limit
	 * has no windows
	 */
	private record Window(Bucket bucket, long closesMillis) {

		static Window of(Settlement charge) {
			Bucket bucket = charge.bucket();
			return new Window(bucket, bucket.family().arithmetic().closesMillis(charge.takenAtMillis()));
		}

	}

	/**
	 * Charges of a window that were not reported yet. Where there are no windows, they
	 * are in two parts, each of half the time that a charge counts: so what is reported
	 * was taken within that time, and what was taken within half of it is reported.
	 *
	 * @param units the units of the present part; negative if more was refunded
	 * @param former the units of the part before
	 * @param firstMillis the store's time of the first charge
	 * @param sinceNanos when the present part began
	 * @param partNanos how long a part is
	 * @param halves whether a part is half of the time
	 */
	private record Pending(long units, long former, long firstMillis, long sinceNanos, long partNanos, boolean halves) {

		static Pending of(Window window, Settlement first, long nowNanos) {
			long takenMillis = first.takenAtMillis();
			long countsNanos = TimeUnit.MILLISECONDS
				.toNanos(first.bucket().family().arithmetic().countsMillis(takenMillis));
			boolean halves = window.closesMillis() == Long.MAX_VALUE;
			return new Pending(first.units(), 0, takenMillis, nowNanos, (halves) ? countsNanos / 2 : countsNanos,
					halves);
		}

		long total() {
			return this.units + this.former;
		}

		// Without what does not count any more.
		Pending at(long nowNanos) {
			long elapsedNanos = nowNanos - this.sinceNanos;
			if (elapsedNanos < this.partNanos) {
				return this;
			}
			boolean counts = this.halves && elapsedNanos < 2 * this.partNanos;
			return new Pending(0, (counts) ? this.units : 0, this.firstMillis,
					(counts) ? this.sinceNanos + this.partNanos : nowNanos, this.partNanos, this.halves);
		}

		Pending plus(long more) {
			return new Pending(this.units + more, this.former, this.firstMillis, this.sinceNanos, this.partNanos,
					this.halves);
		}

	}

}
