package dev.ratelimit.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.StoreDeadlines;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Internal: evaluates rules for the gate, and for code that references rules.
 * Thread-safe.
 */
public final class RateLimitEngine implements RateLimiter {

	private final LimitStore store;

	private final StoreDeadlines deadlines;

	private final boolean deadlinesDiffer;

	private final Time time;

	private final DecisionObservers observers;

	private final Editions editions;

	private final RequestTally requests = new RequestTally();

	private final RuleEvaluation evaluation;

	private final boolean waits;

	private final WaitingCalls waiting;

	private final HandOver handOver = new HandOver();

	/** Null while no candidate is compared. */
	private volatile @Nullable CandidateTrial trial;

	/**
	 * Create an engine whose requests can wait.
	 * @param editions the editions of the rules
	 * @param store the store
	 * @param deadlines the maximum times that one request waits for stores, in all phases
	 * together
	 * @param secret hashes names of replay markers, not empty, the same on all instances
	 * @param idempotency the settings for idempotency keys
	 * @param observers receive every decision
	 * @param time the clock that the store also reads
	 * @param waiting creates the queues of waiting requests
	 */
	public RateLimitEngine(Editions editions, LimitStore store, StoreDeadlines deadlines, String secret,
			IdempotencySettings idempotency, DecisionObservers observers, Time time, WaitQueues.Factory waiting) {
		this.editions = editions;
		this.store = store;
		this.deadlines = deadlines;
		this.deadlinesDiffer = deadlines.differ();
		this.time = time;
		this.observers = observers;
		this.evaluation = RuleEvaluation.of(StoreStage.of(store), waiting.waits(), secret, idempotency, observers,
				time);
		this.waits = waiting.waits();
		this.waiting = new WaitingCalls(waiting.create(this.evaluation, editions, deadlines.usual(), time));
	}

	/**
	 * Whether requests can wait.
	 * @return whether there are queues
	 */
	public boolean waits() {
		return this.waits;
	}

	/**
	 * The queues of requests that wait.
	 * @return the queues
	 */
	public WaitQueues queues() {
		return this.waiting.queues();
	}

	/**
	 * Return the counts of the requests of the front.
	 * @return the counts
	 */
	public RequestTally requests() {
		return this.requests;
	}

	/**
	 * Return the evaluation of rules.
	 * @return the evaluation
	 */
	public RuleEvaluation evaluation() {
		return this.evaluation;
	}

	/**
	 * The editions of the rules.
	 * @return the editions
	 */
	public Editions editions() {
		return this.editions;
	}

	/**
	 * An active rule.
	 * @param id its id
	 * @return the rule, if there is one
	 */
	public Optional<CompiledRule> rule(String id) {
		return requested().find(id);
	}

	/**
	 * Return the time that one request may wait for stores without a deadline of their
	 * own.
	 * @return the deadline, for all phases together
	 */
	public Duration deadline() {
		return this.deadlines.usual();
	}

	/**
	 * Return the part of the deadline that a decision has used up. If the deadline of a
	 * store exceeds the usual one, the excess does not reduce the deadline of later
	 * phases.
	 * @param applied the rules that were decided
	 * @param tookNanos the duration of the decision
	 * @return nanoseconds
	 */
	public long spentNanos(List<AppliedRule> applied, long tookNanos) {
		if (!this.deadlinesDiffer) {
			return tookNanos;
		}
		long beyondNanos = 0;
		for (AppliedRule rule : applied) {
			for (BucketFamily family : rule.limits().families()) {
				beyondNanos = Math.max(beyondNanos, this.deadlines.beyondNanos(family.store()));
			}
		}
		return tookNanos - Math.min(tookNanos, beyondNanos);
	}

	/**
	 * Return the time, by the clock that the store also reads.
	 * @return nanoseconds since an arbitrary origin; only differences are meaningful
	 */
	public long nanos() {
		return this.time.nanos();
	}

	/**
	 * Evaluate the rules that apply to one request in one phase.
	 * @param applied the rules that apply, each at most once
	 * @param retry the request's idempotency key, if it has one
	 * @param budgetNanos the maximum wait for the store
	 * @return the decision, which never fails
	 */
	public CompletableFuture<Decision> decide(List<AppliedRule> applied, Optional<RetryKey> retry, long budgetNanos) {
		return this.evaluation.evaluate(applied, retry, budgetNanos);
	}

	/**
	 * Read the remaining units of a subject under a rule, without a charge.
	 * @param rule the rule, applied to the subject
	 * @return the decision on a request without cost, which never fails
	 */
	public CompletableFuture<Decision> peek(AppliedRule rule) {
		return decide(List.of(rule.free()), Optional.empty(), deadline().toNanos());
	}

	/**
	 * Charge units that were used although their charge did not fit. They become debt of
	 * the buckets, of at most one capacity.
	 * @param used the rule, applied to a subject, and the units
	 * @return completed when the store has charged them; if it is unavailable, no units
	 * are charged
	 */
	public CompletableFuture<Void> overdraw(AppliedRule used) {
		return this.evaluation.overdraw(used, deadline().toNanos());
	}

	/**
	 * Report that a client has a plan that a rule with plans does not define.
	 * @param rule the rule
	 */
	public void planUnknown(CompiledRule rule) {
		this.observers.planUnknown(rule);
	}

	/**
	 * Reject a request that lacks a rule's key.
	 * @param rule the rule
	 * @return the rejection
	 */
	public Decision keyMissing(CompiledRule rule) {
		return this.evaluation.keyMissing(rule);
	}

	/**
	 * Reject a request from an address on the deny list, regardless of the rules.
	 * @return the rejection
	 */
	public Decision denyListed() {
		return this.evaluation.denyListed();
	}

	/**
	 * Reject a request because this instance has no capacity for it.
	 * @return the rejection
	 */
	public Decision shed() {
		return this.evaluation.shed();
	}

	/**
	 * The rules that may have buckets of a subject.
	 * @param subject the subject, in canonical form
	 * @return rules whose key has the kinds of the subject
	 */
	public List<CompiledRule> rules(String subject) {
		return requested().of(subject);
	}

	/**
	 * The rules that may have buckets of longer subjects.
	 * @param subject the subject, in canonical form
	 * @return rules whose key has all parts of the subject and at least one more
	 */
	public List<CompiledRule> rulesWithPart(String subject) {
		return requested().ofPart(subject);
	}

	/**
	 * Reset a subject's buckets of a rule.
	 * @param ruleId the rule
	 * @param subject the subject
	 * @return completed when done
	 */
	public CompletableFuture<Void> reset(String ruleId, String subject) {
		return this.evaluation.reset(requested().buckets(ruleId, subject));
	}

	@Override
	public Mono<Decision> acquire(Collection<RuleCharge> charges) {
		return this.handOver.mono(() -> decide(charges));
	}

	@Override
	public Mono<Decision> acquire(String ruleId, String subject) {
		return this.handOver.mono(() -> {
			if (needsRequest()) {
				return decide(List.of(RuleCharge.of(ruleId, subject)));
			}
			Decision local = this.evaluation.locally(requested().required(ruleId), subject);
			return (local != null) ? CompletableFuture.completedFuture(local) : stored(RuleCharge.of(ruleId, subject));
		});
	}

	@Override
	public Mono<Decision> acquire(String ruleId, String subject, long cost) {
		return this.handOver.mono(() -> {
			if (needsRequest()) {
				return decide(List.of(RuleCharge.of(ruleId, subject, cost)));
			}
			Decision local = this.evaluation.locally(requested().required(ruleId), subject, cost);
			return (local != null) ? CompletableFuture.completedFuture(local)
					: stored(RuleCharge.of(ruleId, subject, cost));
		});
	}

	@Override
	public Decision acquireBlocking(String ruleId, String subject) {
		if (needsRequest()) {
			return RateLimiter.super.acquireBlocking(ruleId, subject);
		}
		AwaitedDecision.requireBlockingThread();
		Decision local = this.evaluation.locally(requested().required(ruleId), subject);
		return (local != null) ? local
				: AwaitedDecision.await(stored(RuleCharge.of(ruleId, subject)), this.deadlines.longestCall());
	}

	@Override
	public Decision acquireBlocking(String ruleId, String subject, long cost) {
		if (needsRequest()) {
			return RateLimiter.super.acquireBlocking(ruleId, subject, cost);
		}
		AwaitedDecision.requireBlockingThread();
		Decision local = this.evaluation.locally(requested().required(ruleId), subject, cost);
		return (local != null) ? local
				: AwaitedDecision.await(stored(RuleCharge.of(ruleId, subject, cost)), this.deadlines.longestCall());
	}

	// Candidates and sanctions require the requested rules and subjects.
	private boolean needsRequest() {
		return this.trial != null || this.editions.hasSanctions();
	}

	// For requests that require the store, without a candidate.
	private CompletableFuture<Decision> stored(RuleCharge charge) {
		return this.evaluation.stored(requested().applied(List.of(charge)), Optional.empty(), deadline().toNanos());
	}

	@Override
	public Decision acquireBlocking(Collection<RuleCharge> charges) {
		AwaitedDecision.requireBlockingThread();
		return AwaitedDecision.await(decide(charges), this.deadlines.longestCall());
	}

	@Override
	public Mono<Decision> acquire(String ruleId, String subject, long cost, Duration maxWait) {
		return Mono.defer(() -> enter(ruleId, subject, cost, maxWait).mono(this.handOver));
	}

	@Override
	public Decision acquireBlocking(String ruleId, String subject, long cost, Duration maxWait) {
		AwaitedDecision.requireBlockingThread();
		return enter(ruleId, subject, cost, maxWait).await(maxWait.plus(this.deadlines.longestCall()));
	}

	private WaitingCalls.Entered enter(String ruleId, String subject, long cost, Duration maxWait) {
		RequestedRules requested = requested();
		List<RuleCharge> charges = List.of(RuleCharge.of(ruleId, subject, cost));
		return this.waiting.enter(requested.applied(charges), maxWait,
				(decision) -> compared(requested.edition(), charges, decision));
	}

	@Override
	public Mono<Void> pause(String ruleId, String subject, Duration pause) {
		return Mono.fromFuture(() -> requested().pause(ruleId, subject, pause));
	}

	private CompletableFuture<Decision> decide(Collection<RuleCharge> charges) {
		return decide(charges, Optional.empty());
	}

	/**
	 * Decide on rules by their ids, as {@link #acquire(Collection)} does.
	 * @param charges the rules, subjects, and costs
	 * @param retry the identity by which a repeated request is recognized
	 * @return the decision
	 * @throws IllegalArgumentException if a rule is unknown or charged twice
	 */
	public CompletableFuture<Decision> decide(Collection<RuleCharge> charges, Optional<RetryKey> retry) {
		RequestedRules requested = requested();
		return compared(requested.edition(), charges, decide(requested.applied(charges), retry, deadline().toNanos()));
	}

	/**
	 * Compare all decisions with those of a candidate from now on.
	 * @param next the comparison; null for none
	 */
	public void compareWith(@Nullable CandidateTrial next) {
		this.trial = next;
	}

	/**
	 * Return the comparison of decisions of an edition with those of a candidate.
	 * @param edition the edition
	 * @return the comparison; null if there is no candidate for that edition
	 */
	public @Nullable CandidateTrial trial(@Nullable Edition edition) {
		CandidateTrial present = this.trial;
		return (present != null && present.base() == edition) ? present : null;
	}

	/**
	 * Compare a decision on rules that code references with that of the candidate, if
	 * there is one.
	 * @param edition the edition of the decision
	 * @param charges the rules
	 * @param decision the decision
	 * @return the decision
	 */
	private CompletableFuture<Decision> compared(Edition edition, Collection<RuleCharge> charges,
			CompletableFuture<Decision> decision) {
		CandidateTrial beside = trial(edition);
		return (beside != null) ? RequestedRules.compared(beside, charges, decision) : decision;
	}

	private RequestedRules requested() {
		return RequestedRules.of(this.editions);
	}

	/**
	 * Decisions for code that waits for its turn.
	 *
	 * @param queues the queues of requests that wait
	 */
	private record WaitingCalls(WaitQueues queues) {

		/** The maximum wait of a blocking call. */
		private static final Duration MAX_BLOCK = Duration.ofHours(1);

		/**
		 * Begin to wait.
		 * @param applied the rules
		 * @param maxWait the maximum wait
		 * @param compared compares the decision with that of a candidate
		 * @return the call
		 */
		Entered enter(List<AppliedRule> applied, Duration maxWait,
				UnaryOperator<CompletableFuture<Decision>> compared) {
			if (maxWait.isNegative() || maxWait.compareTo(MAX_BLOCK) > 0) {
				throw new IllegalArgumentException("'maxWait' (" + maxWait + ") must be between 0 and 1 h");
			}
			CompletableFuture<Ticket> ticket = this.queues.enter(new WaitRequest(applied, Optional.empty(),
					AppliedRule::subject, OptionalLong.of(maxWait.toNanos()), 0, Optional.empty()));
			return new Entered(ticket,
					compared.apply(ticket.thenCompose(Ticket::result).thenApply(WaitResult::decision)));
		}

		/**
		 * A call that has begun to wait.
		 *
		 * @param ticket its ticket
		 * @param decision the decision
		 */
		record Entered(CompletableFuture<Ticket> ticket, CompletableFuture<Decision> decision) {

			/**
			 * Wait without a thread.
			 * @param threads passes decisions on to subscribers
			 * @return the decision; a cancellation leaves the queue
			 */
			Mono<Decision> mono(HandOver threads) {
				return threads.mono(() -> this.decision).doOnCancel(() -> this.ticket.thenAccept(Ticket::leave));
			}

			/**
			 * Wait on the calling thread.
			 * @param maxWait the maximum wait
			 * @return the decision
			 */
			Decision await(Duration maxWait) {
				try {
					return AwaitedDecision.await(this.decision, maxWait);
				}
				finally {
					// Leaves the queue after an interruption or a timeout; without effect
					// after the end of the wait.
					this.ticket.thenAccept(Ticket::leave);
				}
			}

		}

	}

}
