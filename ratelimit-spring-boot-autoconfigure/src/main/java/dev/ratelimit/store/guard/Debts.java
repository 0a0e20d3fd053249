package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.LocalBuckets.LocalBucket;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What failure policies have admitted and the store has certainly not charged. Once the
 * node of a bucket responds, its debt is charged there, as a correction of at most one
 * capacity: never twice, since a debt whose charge may have arrived is dropped.
 * Thread-safe.
 */
final class Debts implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Debts.class);

	/** Further buckets owe nothing. */
	private static final int MAX_BUCKETS = 10_000;

	private static final Duration PAUSE = Duration.ofMillis(100);

	/** While no node responds that is owed anything. */
	private static final Duration LONG_PAUSE = Duration.ofMillis(500);

	/**
	 * If requests are sent to a node for so long and none is answered, the circuit
	 * breaker opens. If it has not opened, none were sent.
	 */
	private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);

	private final Map<Bucket, Debt> debts = new ConcurrentHashMap<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final LimitStore store;

	private final NodeHealth health;

	private final long patienceNanos;

	private final Time time;

	private final Upkeep upkeep;

	private volatile boolean closed;

	Debts(LimitStore store, NodeHealth health, Duration patience, Time time, Upkeep upkeep) {
		this.store = store;
		this.health = health;
		this.patienceNanos = patience.toNanos();
		this.time = time;
		this.upkeep = upkeep;
	}

	/**
	 * The store has certainly not charged a request that was decided here.
	 * @param here the result of the failure policies
	 */
	void owe(AcquireResult here) {
		for (int i = 0; i < here.verdicts().size(); i++) {
			if (here.taken(i) && isOwed(here.request(), i) && here.charge(i).bucket() instanceof LocalBucket local
					&& hasRoom(local.remote())) {
				add(local.remote(), here.charge(i).takenAtMillis(), local.owe(here.verdicts().get(i).cost()));
			}
		}
	}

	// Slots are counted by their holders. Windows and logs would count a debt as of now,
	// and
	// reject a client longer than its limit says. A retry under the same replay marker,
	// which the store does not have, is charged there.
	private static boolean isOwed(AcquireRequest request, int index) {
		Charge charge = request.charges().get(index);
		return charge.bucket().family().refillsEvenly() && !(charge.replayable() && request.marker().isPresent());
	}

	private boolean hasRoom(Bucket bucket) {
		return this.debts.size() < MAX_BUCKETS || this.debts.containsKey(bucket);
	}

	/**
	 * Correct debts.
	 * @param settlements corrections, of charges here and of the store's
	 * @return the corrections that the store is to make: of its own charges, and of debts
	 * that were charged there
	 */
	List<Settlement> correct(List<Settlement> settlements) {
		List<Settlement> rest = new ArrayList<>(settlements.size());
		for (Settlement settlement : settlements) {
			if (!(settlement.bucket() instanceof LocalBucket local)) {
				rest.add(settlement);
			}
			else if (local.correct(settlement.units()) && !isReduced(local.remote(), settlement)) {
				rest.add(new Settlement(local.remote(), settlement.takenAtMillis(), settlement.units()));
			}
		}
		return rest;
	}

	private boolean isReduced(Bucket bucket, Settlement settlement) {
		return this.debts.computeIfPresent(bucket,
				(same, debt) -> debt.plus(settlement.takenAtMillis(), settlement.units(), this.time.nanos())) != null;
	}

	/**
	 * Forget what was reset.
	 * @param buckets buckets of the store's
	 */
	void forget(List<Bucket> buckets) {
		buckets.forEach(this.debts::remove);
	}

	private void add(Bucket bucket, long atMillis, long units) {
		if (units <= 0 || !hasRoom(bucket)) {
			return;
		}
		long nowNanos = this.time.nanos();
		this.debts.compute(bucket, (same, debt) -> ((debt != null) ? debt : Debt.none(bucket, atMillis, nowNanos))
			.plus(atMillis, units, nowNanos));
		schedule(PAUSE);
	}

	private void schedule(Duration pause) {
		if (!this.closed && this.scheduled.compareAndSet(false, true)) {
			this.upkeep.once(pause, "Failed to charge debts", this::round);
		}
	}

	private void round() {
		Set<DebtBatch> batches = new HashSet<>();
		try {
			for (Bucket bucket : this.debts.keySet()) {
				Circuit circuit = this.health.circuit(bucket);
				if (responds(circuit) && circuit.debts().enter()) {
					batches.add(circuit.debts());
					take(bucket).ifPresentOrElse((owed) -> charge(owed, circuit.debts()),
							() -> circuit.debts().leave(true));
				}
			}
		}
		finally {
			batches.forEach(DebtBatch::end);
			this.scheduled.set(false);
			if (!this.debts.isEmpty()) {
				schedule((batches.isEmpty()) ? LONG_PAUSE : PAUSE);
			}
		}
	}

	private boolean responds(Circuit circuit) {
		long silentNanos = circuit.silentNanos(this.time.nanos());
		return circuit.state() == CircuitBreaker.State.CLOSED
				&& (silentNanos < this.patienceNanos || silentNanos > QUIET_NANOS);
	}

	private Optional<Settlement> take(Bucket bucket) {
		Debt debt = this.debts.remove(bucket);
		return (debt != null) ? debt.due(this.time.nanos()) : Optional.empty();
	}

	private void charge(Settlement owed, DebtBatch batch) {
		sent(owed).whenComplete((done, failure) -> {
			if (failure != null) {
				failed(owed, StoreException.of(failure));
			}
			batch.leave(failure == null);
		});
	}

	private CompletableFuture<Void> sent(Settlement owed) {
		try {
			return Objects.requireNonNull(this.store.settle(List.of(owed)));
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void failed(Settlement owed, StoreException failure) {
		this.health.status().failed(failure.kind());
		if (failure.isUncharged()) {
			add(owed.bucket(), owed.takenAtMillis(), owed.units());
		}
		else {
			logger.debug("Failed to charge a debt", failure);
		}
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
