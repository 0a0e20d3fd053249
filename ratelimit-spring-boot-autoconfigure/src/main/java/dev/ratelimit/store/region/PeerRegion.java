package dev.ratelimit.store.region;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
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
import java.util.stream.IntStream;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: another region, and the charges to report to it. Charges of a bucket are
 * added up between two reports. A call that fails, or has no reply in time, is not
 * repeated, because it may have been counted, unless it is certain that nothing was
 * charged. After that, one bucket of the node is read in each interval until the node
 * replies, and charges of its buckets are added up meanwhile. If the node rejects
 * charges, those of one bucket are sent instead. Other nodes of a cluster still receive
 * reports. Thread-safe.
 */
public final class PeerRegion {

	private static final Log logger = LogFactory.getLog(PeerRegion.class);

	private static final int MAX_BUCKETS = 100_000;

	private static final int MAX_OF_REPORT = 5_000;

	private static final int MAX_OF_CALL = 100;

	/** The time that a report usually takes at most to arrive. */
	private static final long TRANSIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private static final StoreException NO_REPLY = new StoreException(StoreException.Kind.TIMEOUT, "no reply", null);

	private final String name;

	private final StoreStage store;

	private final StoreNodes nodes;

	private final Duration timeout;

	private final Time time;

	/**
	 * The charges that were not reported yet. Windows of a bucket are separate, because a
	 * refund of a closed window must not cancel charges of the next window.
	 */
	private final Map<Window, Pending> pending = new ConcurrentHashMap<>();

	/** The windows that did not fit in the last report. */
	private Iterator<Window> unreported = Collections.emptyIterator();

	private final AtomicReference<@Nullable Report> report = new AtomicReference<>();

	private final LongAdder reported = new LongAdder();

	private final LongAdder lost = new LongAdder();

	private final LongAdder dropped = new LongAdder();

	/**
	 * The time of the last reply of the region, or the last time without charges to
	 * report.
	 */
	private volatile long repliedNanos;

	/**
	 * The nodes without a reply to the last call, with the time of the region's last
	 * reply.
	 */
	private final Map<String, Long> silent = new ConcurrentHashMap<>();

	/**
	 * The silent nodes that reply, but reject charges, such as without free memory. A
	 * read would not show when they accept charges again.
	 */
	private final Set<String> rejecting = ConcurrentHashMap.newKeySet();

	/**
	 * Create a region.
	 * @param name its name
	 * @param store its store, which processes requests on any slots
	 * @param nodes the nodes of the store
	 * @param timeout the maximum time to wait for a reply
	 * @param time the time
	 */
	public PeerRegion(String name, StoreStage store, StoreNodes nodes, Duration timeout, Time time) {
		this.name = name;
		this.store = store;
		this.nodes = nodes;
		this.timeout = timeout;
		this.time = time;
		this.repliedNanos = time.nanos();
	}

	/**
	 * Return the name of the region.
	 * @return the name
	 */
	String name() {
		return this.name;
	}

	/**
	 * Return the units that were reported.
	 * @return units since the start, refunds not subtracted
	 */
	long reportedUnits() {
		return this.reported.sum();
	}

	/**
	 * Return the units that were sent without a reply, and may have been counted.
	 * @return units since the start
	 */
	long lostUnits() {
		return this.lost.sum();
	}

	/**
	 * Return the units that were not reported, because too many buckets were waiting for
	 * the next report, or because the units had expired when the region replied again.
	 * @return units since the start
	 */
	long droppedUnits() {
		return this.dropped.sum();
	}

	/**
	 * Return the time for which the region, or one of its nodes, has not replied while
	 * there were charges to report.
	 * @return the time; about the interval between reports if all nodes reply
	 */
	Duration age() {
		long nowNanos = this.time.nanos();
		long current = (this.pending.isEmpty()) ? 0 : nowNanos - this.repliedNanos;
		return Duration
			.ofNanos(this.silent.values().stream().mapToLong((since) -> nowNanos - since).max().orElse(current));
	}

	/**
	 * Whether the last call to one of the region's nodes had no reply.
	 * @return whether the regions count separately
	 */
	boolean isSilent() {
		return !this.silent.isEmpty();
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
		sent(() -> this.store.reset(buckets)).whenComplete((nothing, failure) -> {
			if (failure != null) {
				logger.warn("Failed to reset limits in the region '" + this.name + "'", failure);
			}
		});
	}

	/**
	 * Report the charges since the last report, unless that report is still pending.
	 * @return completed when the report has replies or has timed out
	 */
	synchronized CompletableFuture<Void> report() {
		long nowNanos = this.time.nanos();
		Report before = this.report.get();
		if (before != null) {
			if (nowNanos - before.sentNanos < this.timeout.toNanos()) {
				return before.ended;
			}
			before.giveUp();
		}
		forgetFormerNodes();
		if (this.pending.isEmpty()) {
			if (!isSilent()) {
				this.repliedNanos = nowNanos;
			}
			return DONE;
		}
		Report next = new Report(nowNanos, calls(nowNanos));
		if (!this.report.compareAndSet(null, next)) {
			return DONE;
		}
		next.send();
		return next.ended;
	}

	// Nodes without buckets are not called, so they will not reply.
	private void forgetFormerNodes() {
		if (isSilent()) {
			Set<String> present = this.nodes.nodes();
			this.silent.keySet().stream().filter((node) -> !present.contains(node)).forEach(this::replied);
		}
	}

	private List<Call> calls(long nowNanos) {
		Map<String, List<Taken>> taken = new HashMap<>();
		Map<String, Call> probes = new HashMap<>();
		int count = 0;
		// Report windows in turns. Otherwise, windows at the end of the table would wait
		// until they have closed.
		boolean again = true;
		while (count < MAX_OF_REPORT && (this.unreported.hasNext() || again)) {
			if (!this.unreported.hasNext()) {
				this.unreported = this.pending.keySet().iterator();
				again = false;
				continue;
			}
			Window window = this.unreported.next();
			String node = this.nodes.nodeOf(window.bucket());
			if (!this.silent.containsKey(node)) {
				Optional<Taken> charges = take(window, nowNanos);
				charges.ifPresent((some) -> taken.computeIfAbsent(node, (first) -> new ArrayList<>()).add(some));
				count += charges.isPresent() ? 1 : 0;
			}
			else if (!probes.containsKey(node)) {
				probe(node, window, nowNanos).ifPresent((call) -> probes.put(node, call));
			}
			else {
				this.pending.computeIfPresent(window, (key, charges) -> remaining(charges, nowNanos));
			}
		}
		List<Call> calls = new ArrayList<>(probes.values());
		taken.forEach((node, charges) -> {
			for (int i = 0; i < charges.size(); i += MAX_OF_CALL) {
				calls.add(settlement(node, charges.subList(i, Math.min(charges.size(), i + MAX_OF_CALL))));
			}
		});
		return calls;
	}

	private Optional<Taken> take(Window window, long nowNanos) {
		Pending charges = this.pending.remove(window);
		Pending remaining = (charges != null) ? remaining(charges, nowNanos) : null;
		return (remaining != null) ? Optional.of(new Taken(window, remaining)) : Optional.empty();
	}

	// Returns the call that shows whether a silent node processes reports again; empty if
	// the charges of the window have expired.
	private Optional<Call> probe(String node, Window window, long nowNanos) {
		return (this.rejecting.contains(node))
				? take(window, nowNanos).map((charges) -> settlement(node, List.of(charges)))
				: Optional.of(read(node, window.bucket(), nowNanos));
	}

	// Returns the charges that still count when a report arrives; null if there are none.
	// The other region would charge those of a closed window to its next one.
	private @Nullable Pending remaining(Pending charges, long nowNanos) {
		Pending remaining = charges.at((charges.halves()) ? nowNanos : nowNanos + TRANSIT_NANOS);
		this.dropped.add(Math.abs(charges.total() - remaining.total()));
		return (remaining.total() != 0) ? remaining : null;
	}

	private Call settlement(String node, List<Taken> charges) {
		List<Settlement> settlements = charges.stream().map(Taken::settlement).toList();
		return new Call(node, charges, () -> this.store.settle(settlements));
	}

	// A read charges nothing, so that it can be repeated.
	private Call read(String node, Bucket bucket, long nowNanos) {
		Charge read = new Charge(bucket, 0, FailurePolicy.OPEN, Stance.ENFORCED, false);
		AcquireRequest request = new AcquireRequest(List.of(read), Optional.empty(), nowNanos + this.timeout.toNanos());
		return new Call(node, List.of(), () -> this.store.acquire(request));
	}

	private void ended(Call call, @Nullable Throwable failure) {
		if (failure == null) {
			call.charges().forEach((charges) -> this.reported.add(charges.units()));
			this.repliedNanos = this.time.nanos();
			replied(call.node());
		}
		else if (StoreException.of(failure).isUncharged()) {
			this.rejecting.add(call.node());
			notCharged(call);
			didNotReply(call.node());
		}
		else {
			this.rejecting.remove(call.node());
			call.charges().forEach((charges) -> this.lost.add(charges.units()));
			didNotReply(call.node());
		}
	}

	// On a cluster, a call for several buckets is one for each slot, and some of them may
	// have been charged.
	private void notCharged(Call call) {
		boolean all = call.charges().size() == 1 || this.nodes.nodes().size() == 1;
		call.charges().forEach((charges) -> {
			if (all) {
				this.pending.merge(charges.window(), charges.pending(), (later, before) -> before.plus(later.total()));
			}
			else {
				this.lost.add(charges.units());
			}
		});
	}

	// Needs no lock for nodes that have replied before, so that the threads that read
	// replies do not wait for a report.
	private void replied(String node) {
		if (this.silent.containsKey(node) || this.rejecting.contains(node)) {
			repliedAgain(node);
		}
	}

	private synchronized void repliedAgain(String node) {
		this.rejecting.remove(node);
		if (this.silent.remove(node) != null && !isSilent()) {
			logger.info("The region '" + this.name + "' replies again");
		}
	}

	private synchronized void didNotReply(String node) {
		boolean before = isSilent();
		this.silent.putIfAbsent(node, this.repliedNanos);
		if (!before) {
			logger.warn("The region '" + this.name + "' does not reply (" + node
					+ "): until it does, limits that are shared with it are counted in each region alone");
		}
	}

	private static CompletableFuture<?> sent(Supplier<CompletableFuture<?>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * A call to a node.
	 *
	 * @param node the node
	 * @param charges the charges that it reports; none if it only reads
	 * @param send sends the call
	 */
	private record Call(String node, List<Taken> charges, Supplier<CompletableFuture<?>> send) {

	}

	/**
	 * A report, in one or more calls. When the report is given up, charges without a
	 * reply count as lost, even if there is a reply later.
	 */
	private final class Report {

		private final long sentNanos;

		private final List<Call> calls;

		/** The indexes of the calls without a reply. */
		private final Set<Integer> open = ConcurrentHashMap.newKeySet();

		private final CompletableFuture<Void> ended = new CompletableFuture<>();

		Report(long sentNanos, List<Call> calls) {
			this.sentNanos = sentNanos;
			this.calls = calls;
			IntStream.range(0, calls.size()).forEach(this.open::add);
		}

		void send() {
			for (int i = 0; i < this.calls.size(); i++) {
				int index = i;
				sent(this.calls.get(index).send()).whenComplete((reply, failure) -> end(index, failure));
			}
			endIfReplied();
		}

		private void end(int index, @Nullable Throwable failure) {
			if (this.open.remove(index)) {
				ended(this.calls.get(index), failure);
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
			List.copyOf(this.open).forEach((index) -> end(index, NO_REPLY));
			endIfReplied();
		}

	}

	/**
	 * A window of a bucket.
	 *
	 * @param bucket the bucket
	 * @param closesMillis the store's time at which the window closes;
	 * {@link Long#MAX_VALUE} if the limit has no windows
	 */
	private record Window(Bucket bucket, long closesMillis) {

		static Window of(Settlement charge) {
			Bucket bucket = charge.bucket();
			return new Window(bucket, bucket.family().calculator().closesMillis(charge.takenAtMillis()));
		}

	}

	/**
	 * The charges of a window that are being reported.
	 *
	 * @param window the window
	 * @param pending the charges
	 */
	private record Taken(Window window, Pending pending) {

		Settlement settlement() {
			return new Settlement(this.window.bucket(), this.pending.firstMillis(), this.pending.total());
		}

		// Refunds are not subtracted.
		long units() {
			return Math.max(0, this.pending.total());
		}

	}

	/**
	 * Charges of a window that were not reported yet. If the limit has no windows, they
	 * are in two parts, each for half of the time for which a charge counts. This ensures
	 * that all reported charges were taken within that time, and that all charges within
	 * half of that time are reported.
	 *
	 * @param units the units of the current part; negative if more units were refunded
	 * than charged
	 * @param former the units of the previous part
	 * @param firstMillis the store's time of the first charge
	 * @param sinceNanos the time at which the current part began
	 * @param partNanos the length of a part
	 * @param halves whether a part is half of the time for which a charge counts
	 */
	private record Pending(long units, long former, long firstMillis, long sinceNanos, long partNanos, boolean halves) {

		static Pending of(Window window, Settlement first, long nowNanos) {
			long takenMillis = first.takenAtMillis();
			long countsNanos = TimeUnit.MILLISECONDS
				.toNanos(first.bucket().family().calculator().countsMillis(takenMillis));
			boolean halves = window.closesMillis() == Long.MAX_VALUE;
			return new Pending(first.units(), 0, takenMillis, nowNanos, (halves) ? countsNanos / 2 : countsNanos,
					halves);
		}

		long total() {
			return this.units + this.former;
		}

		// Returns the charges without those that have expired.
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
