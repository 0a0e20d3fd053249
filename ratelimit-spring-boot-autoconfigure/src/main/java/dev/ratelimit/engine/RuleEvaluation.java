package dev.ratelimit.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.ReplayMarker;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates rules: one request to the store for all of them, and one decision. Listeners
 * are told of it. Thread-safe.
 */
final class RuleEvaluation {

	private static final CompletableFuture<Decision> UNMATCHED = CompletableFuture.completedFuture(Decision.UNMATCHED);

	/** Nothing of the deadline is left, and no lateness of ours puts it off. */
	private static final long LONG_AGO_NANOS = TimeUnit.HOURS.toNanos(1);

	private final LimitStore store;

	private final MarkerNames markers;

	private final DecisionListeners listeners;

	private final Time time;

	private final DecisionFactory decisions;

	private final LocalDecisions local;

	RuleEvaluation(LimitStore store, MarkerNames markers, DecisionListeners listeners, Time time) {
		this.store = store;
		this.markers = markers;
		this.listeners = listeners;
		this.time = time;
		this.decisions = new DecisionFactory(store);
		this.local = new LocalDecisions(store);
	}

	CompletableFuture<Decision> evaluate(List<AppliedRule> applied, Optional<RetryKey> retry, long budgetNanos) {
		if (applied.isEmpty()) {
			return UNMATCHED;
		}
		if (applied.size() == 1 && retry.isEmpty()) {
			AppliedRule one = applied.get(0);
			Decision decision = locally(one.rule(), one.tier(), one.subject(), one.cost());
			if (decision != null) {
				return CompletableFuture.completedFuture(decision);
			}
		}
		return requested(applied, retry, budgetNanos);
	}

	/**
	 * Evaluate one rule, if it allows the request and the store need not be called.
	 * @param rule the rule
	 * @param limits the limits of the caller's plan
	 * @param subject whose bucket, in canonical form
	 * @param cost units
	 * @return the decision, or null if nothing was charged
	 */
	@Nullable Decision locally(CompiledRule rule, CompiledLimits limits, String subject, long cost) {
		long startNanos = (this.listeners.followDurations()) ? this.time.nanos() : 0;
		Decision decision = this.local.decide(rule, limits, subject, cost);
		if (decision == null || this.listeners.isEmpty()) {
			return decision;
		}
		// What has no list yet needs none, unless somebody looks at it.
		List<AppliedRule> applied = (this.listeners.follow(decision.allowed()))
				? List.of(new AppliedRule(rule, limits, subject, cost)) : List.of();
		return told(applied, decision, startNanos);
	}

	/**
	 * Evaluate one rule at its own cost, if it allows the request and the store need not
	 * be called.
	 * @param rule the rule
	 * @param subject whose bucket, as code names it
	 * @return the decision, or null if nothing was charged
	 */
	@Nullable Decision locally(CompiledRule rule, String subject) {
		return locally(rule, subject, rule.rule().numbers().cost().units());
	}

	/**
	 * Evaluate one rule for a caller without plan, if it allows the request and the store
	 * need not be called.
	 * @param rule the rule
	 * @param subject whose bucket, as code names it
	 * @param cost units
	 * @return the decision, or null if nothing was charged
	 */
	@Nullable Decision locally(CompiledRule rule, String subject, long cost) {
		String canonical = Subjects.of(subject);
		CompiledRule applied = rule.of(canonical);
		return locally(applied, applied.limits(canonical), canonical, cost);
	}

	Decision keyMissing(CompiledRule rule) {
		return rejected(DecisionFactory.keyMissing(rule));
	}

	Decision banned() {
		return rejected(DecisionFactory.BANNED);
	}

	Decision shed() {
		return rejected(DecisionFactory.shed());
	}

	private Decision rejected(Decision rejection) {
		this.listeners.decided(List.of(), rejection, 0);
		return rejection;
	}

	private CompletableFuture<Decision> requested(List<AppliedRule> applied, Optional<RetryKey> retry,
			long budgetNanos) {
		long startNanos = this.time.nanos();
		List<Charge> charges = Charges.of(applied);
		List<Verdict> unasked = StaticVerdicts.verdicts(applied);
		if (charges.isEmpty() || StaticVerdicts.reject(unasked)) {
			return CompletableFuture.completedFuture(told(applied, DecisionFactory.ofStatic(unasked), startNanos));
		}
		Optional<ReplayMarker> marker = retry.flatMap((key) -> this.markers.marker(applied, key));
		// The wait begins now: what it took to get here is not the store's.
		long deadlineNanos = (budgetNanos > 0) ? this.time.nanos() + budgetNanos : startNanos - LONG_AGO_NANOS;
		AcquireRequest request = new AcquireRequest(charges, marker, deadlineNanos);
		return this.store.acquire(request)
			.thenApply((result) -> told(applied, this.decisions.of(applied, result, unasked), startNanos));
	}

	private Decision told(List<AppliedRule> applied, Decision decision, long startNanos) {
		if (!this.listeners.isEmpty()) {
			this.listeners.decided(applied, decision,
					(this.listeners.followDurations()) ? this.time.nanos() - startNanos : 0);
		}
		return decision;
	}

}
