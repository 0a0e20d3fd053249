package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import dev.ratelimit.Source;
import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.ExhaustedBuckets;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: stands before a store that may be slow or away: no call lasts longer than its
 * deadline, only so many are under way at a time, an open breaker asks nobody, and what
 * the store does not answer, the rules' failure policies do. All buckets of a demand are
 * on one node, and each node has a breaker of its own. By as much as this instance itself
 * is late during a call, its deadline is put off, and what is late even so does not count
 * against the store. Thread-safe.
 */
public final class GuardedLimitStore implements LimitStore, AutoCloseable {

	private static final Log logger = LogFactory.getLog(GuardedLimitStore.class);

	private static final String STARVED = "no response within the deadline, because this instance was too busy";

	/** A store that is silent for so long is late itself, however late we are. */
	private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LimitStore store;

	private final StoreNodes nodes;

	private final LimitStore local;

	private final Time time;

	private final InFlight inFlight;

	private final long deadlineNanos;

	private final long longestPutOffNanos;

	private final long probeIntervalNanos;

	private final Circuits circuits = new Circuits();

	private final ExhaustedBuckets knownEmpty;

	private final Fallback fallback;

	private final StoreStatus status;

	private final StateChanges changes;

	private final DeadlineSweeper sweeper;

	private final StoreProbe probe;

	/**
	 * Guard a store.
	 * @param store the store, which answers demands on one node
	 * @param nodes its nodes
	 * @param local counts by this instance alone while the store does not answer; it
	 * never waits
	 * @param instances how many instances share the limits
	 * @param settings how
	 * @param events is told when the state of a node flips
	 * @param time the time
	 * @param upkeep looks again and again for nodes to probe
	 */
	public GuardedLimitStore(LimitStore store, StoreNodes nodes, LimitStore local, IntSupplier instances,
			GuardSettings settings, Consumer<StoreStateEvent> events, Time time, Upkeep upkeep) {
		this.store = store;
		this.nodes = nodes;
		this.local = local;
		this.time = time;
		this.knownEmpty = new ExhaustedBuckets(time);
		this.inFlight = new InFlight(settings.maxInFlight());
		this.deadlineNanos = settings.patience().toNanos();
		this.longestPutOffNanos = settings.longestPatience().toNanos() - this.deadlineNanos;
		this.probeIntervalNanos = settings.probeInterval().toNanos();
		this.fallback = new Fallback(this.knownEmpty, new LocalBuckets(instances), local,
				settings.probeInterval().toMillis());
		this.status = new StoreStatus(store.name(), this.circuits, this.inFlight::count);
		this.changes = new StateChanges(this.status, events);
		this.sweeper = new DeadlineSweeper(nodes::replyThreads, time);
		this.probe = new StoreProbe(nodes, this.circuits, settings, this::probed, this.changes::left, this.sweeper,
				time, upkeep);
	}

	@Override
	public String name() {
		return this.store.name();
	}

	/**
	 * How the store is doing.
	 * @return its status
	 */
	public StoreStatus status() {
		return this.status;
	}

	/**
	 * Try the store for the first time, and go on trying whenever it does not work.
	 * @param patience how long to wait for the first try
	 * @return what the first try failed with, if it did
	 */
	public Optional<StoreException> start(Duration patience) {
		return this.probe.start(patience);
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
		Circuit circuit = this.circuits.of(this.nodes.nodeOf(demand.charges().get(0).bucket()));
		long nowNanos = this.time.nanos();
		long overdueNanos = nowNanos - demand.deadlineNanos();
		if (overdueNanos >= this.longestPutOffNanos || !circuit.tryAcquirePermission()) {
			return CompletableFuture.completedFuture(fallback(demand));
		}
		if (!this.inFlight.enter(demand)) {
			circuit.notAsked();
			this.status.failed(Kind.OVERLOAD);
			return CompletableFuture.completedFuture(fallback(demand));
		}
		circuit.asked(nowNanos);
		AcquireRequest timely = (overdueNanos >= 0) ? putOff(demand, nowNanos) : demand;
		return ask(new GuardedCall(this, circuit, timely), timely);
	}

	// The thread has lost the whole deadline on its way here.
	private AcquireRequest putOff(AcquireRequest demand, long nowNanos) {
		long latestNanos = demand.deadlineNanos() + this.longestPutOffNanos;
		return demand
			.until((latestNanos - nowNanos < this.deadlineNanos) ? latestNanos : nowNanos + this.deadlineNanos);
	}

	// The store may answer for as long as the deadline can be put off.
	private GuardedCall ask(GuardedCall call, AcquireRequest demand) {
		try {
			CompletableFuture<AcquireResult> answer = this.store
				.acquire(demand.until(demand.deadlineNanos() + this.longestPutOffNanos));
			call.sent();
			answer.whenComplete(call::answered);
		}
		catch (RuntimeException | Error ex) {
			call.answered(null, ex);
		}
		if (!call.isDone()) {
			this.sweeper.watch(call);
		}
		return call;
	}

	long nowNanos() {
		return this.time.nanos();
	}

	long lateNanos() {
		return this.sweeper.lateNanos();
	}

	long putOffNanos(long lateNanos) {
		return Math.min(lateNanos, this.longestPutOffNanos);
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult answer) {
		if (answer.source() == Source.FALLBACK) {
			this.fallback.release(answer);
			return CompletableFuture.completedFuture(null);
		}
		return noticed(() -> this.store.release(answer));
	}

	// An outage loses corrections: the charges stand. Mostly nobody looks at the result.
	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		settlements.forEach((settlement) -> this.knownEmpty.forget(settlement.bucket()));
		List<Settlement> local = settlements.stream().filter(GuardedLimitStore::isLocal).toList();
		if (local.isEmpty()) {
			return noticed(() -> this.store.settle(settlements));
		}
		this.local.settle(local);
		List<Settlement> rest = settlements.stream().filter((settlement) -> !isLocal(settlement)).toList();
		return (rest.isEmpty()) ? CompletableFuture.completedFuture(null) : noticed(() -> this.store.settle(rest));
	}

	private static boolean isLocal(Settlement settlement) {
		return settlement.bucket() instanceof LocalBuckets.LocalBucket;
	}

	@Override
	public CompletableFuture<Long> giveBack(LeaseReturn loan) {
		return noticed(() -> this.store.giveBack(loan));
	}

	private <T> CompletableFuture<T> noticed(Supplier<CompletableFuture<T>> correction) {
		return sent(correction).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("Failed to correct a charge", failure);
				this.status.failed(StoreException.of(failure).kind());
			}
		});
	}

	// A store that throws has failed like any other.
	private static <T> CompletableFuture<T> sent(Supplier<CompletableFuture<T>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(StoreException.of(ex));
		}
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		this.fallback.reset(buckets);
		return sent(() -> this.store.reset(buckets));
	}

	@Override
	public void close() {
		this.probe.close();
		this.sweeper.close();
		this.changes.close();
	}

	AcquireResult fallback(AcquireRequest demand) {
		return this.fallback.answer(demand);
	}

	void notAsked(Circuit circuit, AcquireRequest demand) {
		this.inFlight.leave(demand);
		circuit.notAsked();
	}

	// Nobody goes by it, but what it says of exhausted buckets is true.
	void answeredLate(AcquireResult late) {
		if (!late.admitted()) {
			this.knownEmpty.note(late);
		}
		else if (late.changed()) {
			release(late);
		}
	}

	void answered(Circuit circuit, AcquireRequest demand, AcquireResult answer, long tookNanos) {
		this.inFlight.leave(demand);
		this.knownEmpty.note(answer);
		if (circuit.answered(tookNanos)) {
			update(circuit);
		}
	}

	void failed(Circuit circuit, AcquireRequest demand, StoreException failure, long tookNanos, long lateNanos) {
		this.inFlight.leave(demand);
		boolean late = failure.kind() == Kind.TIMEOUT && lateNanos >= this.deadlineNanos / 2;
		if (late && circuit.silentNanos(this.time.nanos()) < SILENCE_NANOS) {
			this.status.failed(Kind.STARVED);
			circuit.starved(new StoreException(Kind.STARVED, STARVED, failure));
			return;
		}
		this.status.failed(failure.kind());
		if (circuit.failed(failure, tookNanos)) {
			update(circuit);
		}
	}

	private void probed(Circuit circuit, Optional<StoreException> failure) {
		failure.ifPresentOrElse((cause) -> {
			this.status.failed(cause.kind());
			circuit.probeFailed(cause);
		}, () -> circuit.probed(this.time.nanos()));
		update(circuit);
	}

	private void update(Circuit circuit) {
		boolean opened = this.changes.update(circuit);
		if (opened && circuit.closedFor(this.probeIntervalNanos, this.time.nanos())) {
			this.probe.tryNow(circuit);
		}
	}

}
