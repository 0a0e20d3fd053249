package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.LocalBuckets.LocalBucket;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The units of requests that failure policies have allowed and the store has certainly
 * not charged. When the node of a bucket responds again, it charges these debts: at most
 * one capacity, as of the time when the requests were allowed. No debt is charged twice,
 * because a debt is dropped if its charge may have arrived. Thread-safe.
 */
final class Debts implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Debts.class);

	/** The maximum number of buckets with debts. Debts of further buckets are dropped. */
	private static final int MAX_BUCKETS = 10_000;

	private static final Duration PAUSE = Duration.ofMillis(100);

	/** The pause while no node with debts responds. */
	private static final Duration LONG_PAUSE = Duration.ofMillis(500);

	/**
	 * If a node does not respond to requests for this time, the circuit breaker opens. If
	 * the breaker is still closed, no requests were sent.
	 */
	private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);

	private final Map<Bucket, BucketDebts> debts = new ConcurrentHashMap<>();

	private final Set<Debt> underWay = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final StoreStage store;

	private final NodeHealth health;

	private final long timeoutNanos;

	/** The time within which the store must charge a debt. No request waits for it. */
	private final long chargeNanos;

	private final Time time;

	private final Upkeep upkeep;

	private volatile boolean closed;

	Debts(StoreStage store, NodeHealth health, GuardSettings settings, Time time, Upkeep upkeep) {
		this.store = store;
		this.health = health;
		this.timeoutNanos = settings.timeout().toNanos();
		this.chargeNanos = settings.longestTimeout().toNanos();
		this.time = time;
		this.upkeep = upkeep;
	}

	/**
	 * Record that the store has certainly not charged a request that was decided here.
	 * @param here the result of the failure policies
	 */
	void owe(AcquireResult here) {
		for (int i = 0; i < here.verdicts().size(); i++) {
			if (here.taken(i) && isOwed(here.request(), i) && here.charge(i).bucket() instanceof LocalBucket local
					&& hasCapacity(local.remote())) {
				long takenAtMillis = here.charge(i).takenAtMillis();
				local.owe(here.verdicts().get(i).cost(), (units) -> add(local, takenAtMillis, units));
			}
		}
	}

	// Holders of slots report their number with renewals. The store charges a retry with
	// the same replay marker, because it does not have the marker.
	private static boolean isOwed(AcquireRequest request, int index) {
		Charge charge = request.charges().get(index);
		return !charge.bucket().family().policy().concurrent()
				&& !(charge.replayable() && request.marker().isPresent());
	}

	private boolean hasCapacity(Bucket bucket) {
		return this.debts.size() < MAX_BUCKETS || this.debts.containsKey(bucket);
	}

	/**
	 * Correct debts.
	 * @param settlements the corrections of local charges and of charges of the store
	 * @return the corrections that the store must make: of its own charges, and of debts
	 * that it has charged
	 */
	List<Settlement> correct(List<Settlement> settlements) {
		List<Settlement> rest = new ArrayList<>(settlements.size());
		for (Settlement settlement : settlements) {
			if (!(settlement.bucket() instanceof LocalBucket local)) {
				rest.add(settlement);
			}
			else {
				local.correct(settlement.units(), this.time.nanos()).ifPresent(rest::add);
			}
		}
		return rest;
	}

	/**
	 * Forget the debts of buckets that were reset.
	 * @param buckets the buckets of the store
	 */
	void forget(List<Bucket> buckets) {
		for (Bucket bucket : buckets) {
			this.debts.computeIfPresent(bucket, (same, owed) -> {
				owed.forget();
				return null;
			});
			this.underWay.stream().filter((debt) -> debt.bucket().equals(bucket)).forEach(Debt::settle);
		}
	}

	private Optional<Debt> add(LocalBucket local, long takenAtMillis, long units) {
		List<Debt> counting = new ArrayList<>(1);
		this.debts.compute(local.remote(), (bucket, present) -> {
			BucketDebts owed = (present != null) ? present : new BucketDebts(bucket);
			owed.owe(takenAtMillis, local.takenNanos(), units, this.time.nanos()).ifPresent(counting::add);
			return owed;
		});
		schedule(PAUSE);
		return counting.stream().findFirst();
	}

	private void keep(Debt debt) {
		this.debts.compute(debt.bucket(), (bucket, present) -> {
			BucketDebts owed = (present != null) ? present : new BucketDebts(bucket);
			if (debt.uncharged(this.time.nanos())) {
				owed.keep(debt, this.time.nanos());
			}
			return owed;
		});
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
					charge(take(bucket), circuit.debts());
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
				&& (silentNanos < this.timeoutNanos || silentNanos > QUIET_NANOS);
	}

	private List<BucketDebts.Sent> take(Bucket bucket) {
		List<BucketDebts.Sent> sent = new ArrayList<>();
		this.debts.computeIfPresent(bucket, (same, owed) -> {
			long nowNanos = this.time.nanos();
			sent.addAll(owed.send(nowNanos, nowNanos + this.chargeNanos));
			// Add the debts before they are removed from the map, so that a reset finds
			// them.
			sent.forEach((one) -> this.underWay.add(one.debt()));
			return null;
		});
		return sent;
	}

	private void charge(Collection<BucketDebts.Sent> sent, DebtBatch batch) {
		List<CompletableFuture<Boolean>> charged = sent.stream().map(this::charge).toList();
		CompletableFuture.allOf(charged.toArray(CompletableFuture[]::new))
			.whenComplete((done, failure) -> batch
				.leave(failure == null && charged.stream().allMatch(CompletableFuture::join)));
	}

	private CompletableFuture<Boolean> charge(BucketDebts.Sent sent) {
		return charged(sent.charge()).handle((charge, failure) -> {
			if (failure == null) {
				sent.debt().charged(charge).ifPresent(this::correctCharged);
			}
			else {
				failed(sent.debt(), StoreException.of(failure));
			}
			this.underWay.remove(sent.debt());
			return failure == null;
		});
	}

	private CompletableFuture<Settlement> charged(LateCharge charge) {
		try {
			return Objects.requireNonNull(this.store.charge(charge));
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void correctCharged(Settlement correction) {
		try {
			this.store.settle(List.of(correction)).exceptionally((failure) -> {
				failed(StoreException.of(failure));
				return null;
			});
		}
		catch (RuntimeException | Error ex) {
			failed(StoreException.of(ex));
		}
	}

	private void failed(Debt debt, StoreException failure) {
		failed(failure);
		if (failure.isUncharged()) {
			keep(debt);
		}
		else {
			debt.settle();
		}
	}

	private void failed(StoreException failure) {
		this.health.status().failed(failure.kind());
		logger.debug("Failed to charge a debt", failure);
	}

	@Override
	public void close() {
		this.closed = true;
	}

	/**
	 * The debts of one bucket: one if it refills evenly, otherwise several, for requests
	 * that were allowed at different times. Not thread-safe.
	 */
	static final class BucketDebts {

		/** The maximum number of debts. Further requests are not charged later. */
		private static final int MAX_DEBTS = 32;

		private final Bucket bucket;

		private final List<Debt> debts = new ArrayList<>(1);

		BucketDebts(Bucket bucket) {
			this.bucket = bucket;
		}

		/**
		 * Add a request that was allowed.
		 * @param takenAtMillis the time at which the request was allowed, by the clock of
		 * local charges
		 * @param takenNanos the same moment as a {@link Time}
		 * @param units the number of units
		 * @param nowNanos the time
		 * @return the debt that includes the request, unless there are too many debts
		 */
		Optional<Debt> owe(long takenAtMillis, long takenNanos, long units, long nowNanos) {
			forgetSettled(nowNanos);
			Optional<Debt> counting = covering(takenNanos);
			if (counting.isEmpty() && this.debts.size() < MAX_DEBTS) {
				counting = Optional.of(new Debt(this.bucket, takenAtMillis, takenNanos));
				this.debts.add(counting.get());
			}
			counting.ifPresent((debt) -> debt.add(units, takenNanos));
			return counting;
		}

		/**
		 * Keep a debt that was not charged. Debts since then that it covers are moved to
		 * it.
		 * @param older the debt
		 * @param nowNanos the time
		 */
		void keep(Debt older, long nowNanos) {
			forgetSettled(nowNanos);
			this.debts.removeIf((debt) -> {
				boolean covered = older.covers(debt.atNanos());
				if (covered) {
					debt.moveTo(older, nowNanos);
				}
				return covered;
			});
			this.debts.add(older);
		}

		/**
		 * Send debts of at most one capacity in total, the latest first.
		 * @param nowNanos the time
		 * @param deadlineNanos the time after which the store must not charge them
		 * @return the debts to send, with their charges
		 */
		List<Sent> send(long nowNanos, long deadlineNanos) {
			this.debts.sort(Comparator.comparingLong((debt) -> nowNanos - debt.atNanos()));
			List<Sent> sent = new ArrayList<>(this.debts.size());
			long remaining = this.bucket.family().calculator().capacity();
			for (Debt debt : this.debts) {
				Optional<LateCharge> charge = debt.send(remaining, nowNanos, deadlineNanos);
				if (charge.isPresent()) {
					remaining -= charge.get().correction().units();
					sent.add(new Sent(debt, charge.get()));
				}
			}
			return sent;
		}

		void forget() {
			this.debts.forEach(Debt::settle);
		}

		private Optional<Debt> covering(long takenNanos) {
			return this.debts.stream().filter((debt) -> debt.covers(takenNanos)).findFirst();
		}

		private void forgetSettled(long nowNanos) {
			this.debts.removeIf((debt) -> {
				boolean settled = debt.due(nowNanos) <= 0;
				if (settled) {
					debt.settle();
				}
				return settled;
			});
		}

		/**
		 * A debt to send.
		 *
		 * @param debt the debt
		 * @param charge the charge
		 */
		record Sent(Debt debt, LateCharge charge) {
		}

	}

}
