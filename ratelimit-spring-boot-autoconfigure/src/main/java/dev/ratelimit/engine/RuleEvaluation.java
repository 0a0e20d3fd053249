package dev.ratelimit.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * Internal: evaluates all rules of a request with one call of the store and one decision.
 * The listeners receive the decision. Thread-safe.
 */
public final class RuleEvaluation {

	private static final CompletableFuture<Decision> UNMATCHED = CompletableFuture.completedFuture(Decision.UNMATCHED);

	/**
	 * The age of an expired deadline, so high that the extension for a late instance does
	 * not make it valid again.
	 */
	private static final long LONG_AGO_NANOS = TimeUnit.HOURS.toNanos(1);

	/** The highest cost that a request can have. */
	private static final long FITS_NO_BUCKET = 999_999_999_999_999_999L;

	private final StoreStage store;

	private final MarkerNames markers;

	private final DecisionObservers observers;

	private final Time time;

	private final DecisionFactory decisions;

	/** Null if the store cannot decide synchronously. */
	private final @Nullable LocalLimitStore local;

	private final ReservationTerms exact;

	private final ReservationTerms estimated;

	/** Null if requests cannot wait. */
	private final @Nullable FreedBuckets freed;

	private RuleEvaluation(StoreStage store, @Nullable FreedBuckets freed, MarkerNames markers,
			DecisionObservers observers, Time time) {
		this.store = store;
		this.freed = freed;
		this.markers = markers;
		this.observers = observers;
		this.time = time;
		StoreStage corrected = (freed != null) ? freed : store;
		this.decisions = new DecisionFactory(corrected);
		this.local = (store instanceof LocalLimitStore immediate) ? immediate : null;
		this.exact = new ReservationTerms(corrected, false);
		this.estimated = new ReservationTerms(corrected, true);
	}

	/**
	 * Create the evaluation of rules.
	 * @param store the store
	 * @param waits whether requests can wait
	 * @param secret the key of the hash that names replay markers
	 * @param idempotency the settings for idempotency keys
	 * @param observers receive every decision
	 * @param time the clock
	 * @return the evaluation
	 */
	static RuleEvaluation of(StoreStage store, boolean waits, String secret, IdempotencySettings idempotency,
			DecisionObservers observers, Time time) {
		FreedBuckets freed = (waits) ? new FreedBuckets(store) : null;
		return new RuleEvaluation(store, freed, new MarkerNames(secret, idempotency), observers, time);
	}

	/**
	 * Add a listener for buckets whose units are refunded by corrections. Has no effect
	 * unless requests can wait.
	 * @param awaited whether requests wait for a bucket
	 * @param listener receives buckets that requests wait for
	 */
	public void followFreed(Predicate<Bucket> awaited, Consumer<Bucket> listener) {
		if (this.freed != null) {
			this.freed.publish(awaited, listener);
		}
	}

	/**
	 * Whether rules reject a request without the store.
	 * @param applied the rules
	 * @return whether one of them rejects the request
	 */
	public static boolean rejectsAtOnce(List<AppliedRule> applied) {
		return StaticVerdicts.reject(StaticVerdicts.verdicts(applied));
	}

	/**
	 * Evaluate the rules that apply to one request in one phase.
	 * @param applied the rules that apply, each at most once
	 * @param retry the request's idempotency key, if it has one
	 * @param budgetNanos the maximum wait for the store
	 * @return the decision, which never fails
	 */
	public CompletableFuture<Decision> evaluate(List<AppliedRule> applied, Optional<RetryKey> retry, long budgetNanos) {
		if (applied.size() == 1 && retry.isEmpty()) {
			AppliedRule one = applied.get(0);
			Decision decision = locally(one.rule(), one.limits(), one.subject(), one.cost());
			if (decision != null) {
				return CompletableFuture.completedFuture(decision);
			}
		}
		return stored(applied, retry, budgetNanos);
	}

	/**
	 * Evaluate rules in the store.
	 * @param applied the rules, which are not decided
	 * {@linkplain #locally(CompiledRule, String) on the spot}
	 * @param retry the request's idempotency key, if it has one
	 * @param budgetNanos the maximum wait for the store
	 * @return the decision
	 */
	CompletableFuture<Decision> stored(List<AppliedRule> applied, Optional<RetryKey> retry, long budgetNanos) {
		if (applied.isEmpty()) {
			return UNMATCHED;
		}
		long startNanos = this.time.nanos();
		List<Charge> charges = Charges.of(applied);
		List<Verdict> staticVerdicts = StaticVerdicts.verdicts(applied);
		if (charges.isEmpty() || StaticVerdicts.reject(staticVerdicts)) {
			return CompletableFuture
				.completedFuture(published(applied, DecisionFactory.ofStatic(staticVerdicts), startNanos));
		}
		return this.store.acquire(request(applied, charges, retry, startNanos, budgetNanos))
			.thenApply((result) -> published(applied, this.decisions.of(applied, result, staticVerdicts), startNanos));
	}

	/**
	 * Evaluate one rule, if no call of the store is required.
	 * @param rule the rule
	 * @param limits the limits of the client's plan
	 * @param subject the subject, in canonical form
	 * @param cost units
	 * @return the decision; null if the store must be called
	 */
	@Nullable Decision locally(CompiledRule rule, CompiledLimits limits, String subject, long cost) {
		long startNanos = startNanos(true);
		LocalCharge charge = chargeLocally(rule, limits, subject, cost);
		if (charge == null) {
			return null;
		}
		boolean allowed = charge.allowed();
		Decision decision = (allowed) ? new Decision(true, Reason.WITHIN_LIMITS, Source.LOCAL, charge, charge)
				: new Decision(false, Reason.LIMIT_EXCEEDED, Source.LOCAL, charge);
		if (!this.observers.observe(allowed)) {
			return decision;
		}
		if (!allowed && startNanos == 0) {
			startNanos = startNanos(false);
		}
		// Avoids the list unless it is observed.
		List<AppliedRule> applied = (this.observers.observeRules(allowed))
				? List.of(new AppliedRule(rule, limits, subject, cost)) : List.of();
		this.observers.decided(applied, decision, startNanos, this.time);
		return decision;
	}

	// Fast path for decisions on one limit in memory, which allocates only the decision.
	private @Nullable LocalCharge chargeLocally(CompiledRule rule, CompiledLimits limits, String subject, long cost) {
		LocalLimitStore immediate = this.local;
		if (immediate == null || cost <= 0 || limits.families().size() != 1 || !rule.enforces()) {
			return null;
		}
		BucketFamily family = limits.families().get(0);
		return (family.policy().concurrent()) ? null : immediate.chargeLocally(family, subject, cost, rule.terms(),
				(rule.estimated()) ? this.estimated : this.exact);
	}

	/**
	 * Evaluate one rule at its own cost, if no call of the store is required.
	 * @param rule the rule
	 * @param subject the subject, in the form that code uses
	 * @return the decision; null if the store must be called
	 */
	@Nullable Decision locally(CompiledRule rule, String subject) {
		return locally(rule, subject, rule.units());
	}

	/**
	 * Evaluate one rule for a client without a plan, if no call of the store is required.
	 * @param rule the rule
	 * @param subject the subject, in the form that code uses
	 * @param cost units
	 * @return the decision; null if the store must be called
	 */
	@Nullable Decision locally(CompiledRule rule, String subject, long cost) {
		String canonical = Subjects.of(subject);
		CompiledRule applied = rule.of(canonical);
		return locally(applied, applied.limits(canonical), canonical, cost);
	}

	Decision keyMissing(CompiledRule rule) {
		return rejected(DecisionFactory.keyMissing(rule));
	}

	Decision denyListed() {
		return rejected(DecisionFactory.DENY_LISTED);
	}

	Decision shed() {
		return rejected(DecisionFactory.shed());
	}

	private Decision rejected(Decision rejection) {
		long startNanos = startNanos(false);
		// A rejection without an evaluation has no duration.
		this.observers.decided(List.of(), rejection, startNanos, () -> startNanos);
		return rejection;
	}

	private long startNanos(boolean allowed) {
		return (this.observers.observeTime(allowed)) ? this.time.nanos() : 0;
	}

	/**
	 * Evaluate rules without publishing the decision.
	 * @param applied the rules
	 * @param retry the request's idempotency key, if it has one
	 * @param budgetNanos the maximum wait for the store
	 * @param waited whether the request has waited for its turn
	 * @return the decision, which must be {@linkplain #publish published} if it is the
	 * final one
	 */
	public CompletableFuture<PreparedDecision> prepare(List<AppliedRule> applied, Optional<RetryKey> retry,
			long budgetNanos, boolean waited) {
		long startNanos = this.time.nanos();
		List<Charge> charges = Charges.of(applied);
		List<Verdict> staticVerdicts = StaticVerdicts.verdicts(applied);
		if (charges.isEmpty() || StaticVerdicts.reject(staticVerdicts)) {
			Decision decision = (applied.isEmpty()) ? Decision.UNMATCHED : DecisionFactory.ofStatic(staticVerdicts);
			return CompletableFuture.completedFuture(new PreparedDecision(applied, List.of(), decision, startNanos));
		}
		AcquireRequest request = request(applied, charges, retry, startNanos, budgetNanos);
		return this.store.acquire((waited) ? request.waited() : request)
			.thenApply((result) -> new PreparedDecision(applied, charges,
					this.decisions.of(applied, result, staticVerdicts), startNanos));
	}

	/**
	 * Return whether a request is a retry that does not need units of a bucket. It
	 * charges nothing: the charges that a retry can waive are replaced by some that fit
	 * into no bucket, so that the store allows only a free retry. This is taken back by a
	 * call that reaches the store before later ones.
	 * @param applied the rules
	 * @param bucket the bucket
	 * @param retry the request's idempotency key
	 * @param budgetNanos the maximum wait for the store
	 * @return whether the charge of the bucket is waived; false if it is unknown
	 */
	public CompletableFuture<Boolean> waives(List<AppliedRule> applied, Bucket bucket, RetryKey retry,
			long budgetNanos) {
		List<Charge> charges = Charges.of(applied);
		// Otherwise, the store could allow the request, and charge it.
		if (charges.stream()
			.noneMatch((charge) -> charge.bucket().equals(bucket) && charge.replayable() && charge.mayReject())) {
			return CompletableFuture.completedFuture(false);
		}
		List<Charge> probes = charges.stream()
			.map((charge) -> (charge.replayable()) ? charge.leasing(FITS_NO_BUCKET, LeaseRequest.NONE) : charge)
			.toList();
		AcquireRequest request = request(applied, probes, Optional.of(retry), this.time.nanos(), budgetNanos);
		if (request.marker().isEmpty()) {
			return CompletableFuture.completedFuture(false);
		}
		return this.store.acquire(request).thenApply((result) -> {
			if (result.allowed()) {
				this.store.release(result);
			}
			return result.allowed() && result.replayed();
		});
	}

	/**
	 * Return whether rules would reject a request now, without a charge.
	 * @param applied the rules
	 * @param budgetNanos the maximum wait for the store
	 * @return whether one of the rules has too few units; false if it is unknown
	 */
	public CompletableFuture<Boolean> rejects(List<AppliedRule> applied, long budgetNanos) {
		List<AppliedRule> enforced = applied.stream().filter((rule) -> rule.rule().terms().stance().rejects()).toList();
		return prepare(enforced.stream().map(AppliedRule::free).toList(), Optional.empty(), budgetNanos, false)
			.thenApply((seen) -> enforced.stream().anyMatch((rule) -> lacksUnits(rule, seen.decision())));
	}

	private static boolean lacksUnits(AppliedRule rule, Decision seen) {
		return seen.verdicts()
			.stream()
			.anyMatch((verdict) -> verdict.outcome().measured() && verdict.policy().ruleId().equals(rule.id())
					&& verdict.remaining() < rule.cost());
	}

	private AcquireRequest request(List<AppliedRule> applied, List<Charge> charges, Optional<RetryKey> retry,
			long startNanos, long budgetNanos) {
		Optional<ReplayMarker> marker = retry.flatMap((key) -> this.markers.marker(applied, key));
		// The deadline starts here; earlier time does not count as wait for the store.
		long deadlineNanos = (budgetNanos > 0) ? this.time.nanos() + budgetNanos : startNanos - LONG_AGO_NANOS;
		return new AcquireRequest(charges, marker, deadlineNanos);
	}

	/**
	 * Charge units that were used although their charge did not fit. They become debt of
	 * the buckets, of at most one capacity.
	 * @param used the rule, applied to a subject, and the units
	 * @param budgetNanos the maximum wait for the store
	 * @return completed when the store has charged them; if it is unavailable, no units
	 * are charged
	 */
	CompletableFuture<Void> overdraw(AppliedRule used, long budgetNanos) {
		List<AppliedRule> free = List.of(used.free());
		List<Charge> charges = Charges.of(free);
		if (charges.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		// The buckets are read first, because a correction requires the store's time.
		return this.store.acquire(request(free, charges, Optional.empty(), this.time.nanos(), budgetNanos))
			.thenCompose((seen) -> this.store.settle(IntStream.range(0, charges.size())
				.filter((index) -> seen.charge(index).source() != Source.FALLBACK)
				.mapToObj((index) -> seen.charge(index).settlement(used.cost()))
				.toList()));
	}

	/**
	 * Reset buckets. Requests that wait for one of them are tried again.
	 * @param buckets the buckets
	 * @return completed when done
	 */
	CompletableFuture<Void> reset(List<Bucket> buckets) {
		return ((this.freed != null) ? this.freed : this.store).reset(buckets);
	}

	/**
	 * Publish a decision.
	 * @param applied the rules
	 * @param decision the decision
	 * @param startNanos the time of the request
	 */
	public void publish(List<AppliedRule> applied, Decision decision, long startNanos) {
		this.observers.decided(applied, decision, startNanos, this.time);
	}

	private Decision published(List<AppliedRule> applied, Decision decision, long startNanos) {
		publish(applied, decision, startNanos);
		return decision;
	}

	/**
	 * The store, with reports of corrections: if requests wait for a bucket, its refunds
	 * are reported. Thread-safe.
	 */
	private static final class FreedBuckets implements StoreStage {

		private final StoreStage store;

		private volatile Predicate<Bucket> awaited = (bucket) -> false;

		private volatile Consumer<Bucket> freed = (bucket) -> {
		};

		FreedBuckets(StoreStage store) {
			this.store = store;
		}

		void publish(Predicate<Bucket> which, Consumer<Bucket> listener) {
			this.freed = listener;
			this.awaited = which;
		}

		@Override
		public String name() {
			return this.store.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
			return this.store.acquire(request);
		}

		@Override
		public CompletableFuture<Void> release(AcquireResult result) {
			return published(result.refunds(), this.store.release(result));
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return published(settlements, this.store.settle(settlements));
		}

		@Override
		public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
			return this.store.returnLease(unspent);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets)
				.whenComplete((nothing, failure) -> buckets.stream().filter(this.awaited).forEach(this.freed));
		}

		// Published after the correction, so that requests that begin to wait meanwhile
		// are also woken.
		private CompletableFuture<Void> published(List<Settlement> settlements, CompletableFuture<Void> done) {
			if (done.isDone()) {
				publish(settlements);
				return done;
			}
			return done.whenComplete((nothing, failure) -> publish(settlements));
		}

		private void publish(List<Settlement> settlements) {
			for (int i = 0; i < settlements.size(); i++) {
				Settlement settlement = settlements.get(i);
				if (settlement.units() < 0 && this.awaited.test(settlement.bucket())) {
					this.freed.accept(settlement.bucket());
				}
			}
		}

	}

}
