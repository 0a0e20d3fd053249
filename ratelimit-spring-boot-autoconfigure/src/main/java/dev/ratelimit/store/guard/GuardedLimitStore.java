package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.ratelimit.Source;
import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.KnownEmpty;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Loan;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.guard.StoreStatus.Health;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Stands before a store that may be slow or away: no call lasts longer than its deadline,
 * only so many are under way at a time, an open breaker asks nobody, and what the store
 * does not answer, the rules' failure policies do. All buckets of a demand are on one
 * node, and each node has a breaker of its own. Thread-safe.
 *
 * @since 0.1.0
 */
public final class GuardedLimitStore implements LimitStore, AutoCloseable {

	private static final Log logger = LogFactory.getLog(GuardedLimitStore.class);

	private final LimitStore store;

	private final StoreNodes nodes;

	private final LimitStore local;

	private final int maxInFlight;

	private final Consumer<StoreStateEvent> events;

	private final AtomicInteger inFlight = new AtomicInteger();

	private final Circuits circuits = new Circuits();

	private final KnownEmpty knownEmpty = new KnownEmpty(Ticker.systemTicker());

	private final Fallback fallback;

	private final StoreStatus status;

	private final DeadlineSweeper sweeper = new DeadlineSweeper();

	private final StoreProbe probe;

	/**
	 * Guard a store.
	 * @param store the store, which answers demands on one node
	 * @param nodes its nodes
	 * @param local counts this instance's share of limits while the store does not
	 * answer; it never waits
	 * @param instances how many instances share the limits
	 * @param settings how
	 * @param events is told when the state of a node flips
	 */
	public GuardedLimitStore(LimitStore store, StoreNodes nodes, LimitStore local, IntSupplier instances,
			GuardSettings settings, Consumer<StoreStateEvent> events) {
		this.store = store;
		this.nodes = nodes;
		this.local = local;
		this.maxInFlight = settings.maxInFlight();
		this.events = events;
		this.fallback = new Fallback(this.knownEmpty, new LocalShares(instances), local,
				settings.probeInterval().toMillis());
		this.status = new StoreStatus(store.name(), this.circuits, this.inFlight::get);
		this.probe = new StoreProbe(nodes, this.circuits, settings, this::probed);
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
	public CompletableFuture<Answer> acquire(Demand demand) {
		Circuit circuit = this.circuits.of(this.nodes.nodeOf(demand.charges().get(0).bucket()));
		boolean late = System.nanoTime() - demand.deadlineNanos() >= 0;
		if (late || !circuit.lets()) {
			return CompletableFuture.completedFuture(fallback(demand, false));
		}
		if (this.inFlight.incrementAndGet() > this.maxInFlight) {
			notAsked(circuit);
			this.status.failed(Kind.OVERLOAD);
			return CompletableFuture.completedFuture(fallback(demand, true));
		}
		return ask(new GuardedCall(this, circuit, demand), demand);
	}

	private GuardedCall ask(GuardedCall call, Demand demand) {
		try {
			this.store.acquire(demand).whenComplete(call::answered);
		}
		catch (RuntimeException ex) {
			call.answered(null, ex);
		}
		if (!call.isDone()) {
			this.sweeper.watch(call);
		}
		return call;
	}

	@Override
	public CompletableFuture<Void> release(Answer answer) {
		if (answer.source() == Source.FALLBACK) {
			this.fallback.release(answer);
			return CompletableFuture.completedFuture(null);
		}
		return noticed(this.store.release(answer));
	}

	// An outage loses corrections: the charges stand. Mostly nobody looks at the result.
	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		List<Settlement> shares = settlements.stream().filter(GuardedLimitStore::isShare).toList();
		if (shares.isEmpty()) {
			return noticed(this.store.settle(settlements));
		}
		this.local.settle(shares);
		List<Settlement> rest = settlements.stream().filter((settlement) -> !isShare(settlement)).toList();
		return (rest.isEmpty()) ? CompletableFuture.completedFuture(null) : noticed(this.store.settle(rest));
	}

	private static boolean isShare(Settlement settlement) {
		return settlement.bucket() instanceof LocalShares.Share;
	}

	@Override
	public CompletableFuture<Long> giveBack(Loan loan) {
		return noticed(this.store.giveBack(loan));
	}

	private <T> CompletableFuture<T> noticed(CompletableFuture<T> correction) {
		return correction.whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("A charge was not corrected", failure);
				this.status.failed(StoreException.of(failure).kind());
			}
		});
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		buckets.forEach(this.knownEmpty::forget);
		return this.store.reset(buckets);
	}

	@Override
	public void close() {
		this.probe.close();
		this.sweeper.close();
	}

	Answer fallback(Demand demand, boolean crowded) {
		return this.fallback.answer(demand, crowded);
	}

	void notAsked(Circuit circuit) {
		this.inFlight.decrementAndGet();
		circuit.notAsked();
	}

	void giveBack(Answer late) {
		release(late);
	}

	void answered(Circuit circuit, Answer answer, long tookNanos) {
		this.inFlight.decrementAndGet();
		if (!answer.admitted()) {
			this.knownEmpty.note(answer);
		}
		if (circuit.answered(tookNanos)) {
			update(circuit);
		}
	}

	void failed(Circuit circuit, StoreException failure, long tookNanos) {
		this.inFlight.decrementAndGet();
		this.status.failed(failure.kind());
		if (circuit.failed(failure, tookNanos)) {
			update(circuit);
		}
	}

	private void probed(Circuit circuit, Optional<StoreException> failure) {
		failure.ifPresentOrElse((cause) -> {
			this.status.failed(cause.kind());
			circuit.probeFailed(cause);
		}, circuit::probed);
		update(circuit);
	}

	private synchronized void update(Circuit circuit) {
		Health before = circuit.update();
		Health now = circuit.health();
		if (before != now) {
			StateLog.flipped(this.status, circuit, before, now);
		}
		if ((before == Health.UP) != (now == Health.UP)) {
			String cause = (now == Health.UP) ? "it answers" : circuit.lastFailure();
			publish(new StoreStateEvent(name(), circuit.node(), now == Health.UP, cause));
		}
	}

	// What a listener throws, or how long it takes, is its own trouble: callers go on.
	private void publish(StoreStateEvent event) {
		this.probe.execute(() -> {
			try {
				this.events.accept(event);
			}
			catch (RuntimeException ex) {
				logger.error("A listener failed at " + event, ex);
			}
		});
	}

}
