package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Decision;
import dev.ratelimit.DecisionListener;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Reason;
import dev.ratelimit.Reservation;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.RuleMode;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.ReplayMarker;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * Internal: turns uses of rules into one demand on the store, and the store's answer into
 * a decision. Thread-safe.
 */
public final class RateLimitEngine implements RateLimiter {

	private static final Log logger = LogFactory.getLog(RateLimitEngine.class);

	private static final String LISTENER_FAILED = "A decision listener failed";

	/** Nothing of the deadline is left, and no lateness of ours puts it off. */
	private static final long LONG_AGO_NANOS = TimeUnit.HOURS.toNanos(1);

	/** A store answers by the deadline; who blocks for it does not wait for ever. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private static final CompletableFuture<Decision> UNMATCHED = CompletableFuture.completedFuture(Decision.UNMATCHED);

	private static final Decision BANNED = new Decision(false, Reason.BANNED, Source.LOCAL,
			List.of(Verdict.unmeasured(Policy.ANY, Outcome.BANNED, 1, Wait.NEVER)));

	private final LimitStore store;

	private final Duration deadline;

	private final MarkerNames markers;

	private final List<DecisionListener> listeners;

	private final Editions editions;

	private final HandOver handOver = new HandOver();

	/**
	 * An engine with editions of its own, without rules yet.
	 * @param store the store
	 * @param deadline how long one request may wait for the store, in all phases together
	 * @param secret the key of the hash that names replay markers, not empty, the same in
	 * the whole fleet
	 * @param idempotency how idempotency keys are remembered
	 * @param listeners are told of every decision
	 */
	public RateLimitEngine(LimitStore store, Duration deadline, String secret, IdempotencySettings idempotency,
			List<DecisionListener> listeners) {
		this(new Editions(), store, deadline, secret, idempotency, listeners);
	}

	/**
	 * An engine.
	 * @param editions the editions of the rules
	 * @param store the store
	 * @param deadline how long one request may wait for the store, in all phases together
	 * @param secret the key of the hash that names replay markers, not empty, the same in
	 * the whole fleet
	 * @param idempotency how idempotency keys are remembered
	 * @param listeners are told of every decision
	 */
	public RateLimitEngine(Editions editions, LimitStore store, Duration deadline, String secret,
			IdempotencySettings idempotency, List<DecisionListener> listeners) {
		this.editions = editions;
		this.store = store;
		this.deadline = deadline;
		this.markers = new MarkerNames(secret, idempotency);
		this.listeners = List.copyOf(listeners);
		this.editions.addListener(RateLimitEngine::logPrecisionNotes);
	}

	private static void logPrecisionNotes(Edition edition) {
		edition.compiled()
			.values()
			.stream()
			.flatMap((rule) -> rule.families().stream())
			.forEach((family) -> family.arithmetic()
				.precisionNote()
				.ifPresent((note) -> logger.info("Rule '" + family.policy().ruleId() + "': " + note)));
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
		return this.editions.current().rule(id);
	}

	/**
	 * How long one request may wait for the store.
	 * @return the deadline, for all phases together
	 */
	public Duration deadline() {
		return this.deadline;
	}

	/**
	 * Decide one request in one phase.
	 * @param uses the rules that apply, each at most once
	 * @param retry the request's idempotency key, if it has one
	 * @param budgetNanos how long to wait for the store at most
	 * @return the decision, which never fails
	 */
	public CompletableFuture<Decision> decide(List<AppliedRule> uses, Optional<RetryKey> retry, long budgetNanos) {
		if (uses.isEmpty()) {
			return UNMATCHED;
		}
		long startNanos = System.nanoTime();
		List<Charge> charges = new ArrayList<>(uses.size() + 2);
		for (AppliedRule use : uses) {
			use.rule().charge(use, charges);
		}
		List<Verdict> unasked = StaticVerdicts.verdicts(uses);
		if (charges.isEmpty() || StaticVerdicts.refuse(unasked)) {
			return CompletableFuture.completedFuture(conclude(unasked, startNanos));
		}
		Optional<ReplayMarker> marker = retry.flatMap((key) -> this.markers.marker(uses, key));
		// The wait begins now: what it took to get here is not the store's.
		long deadlineNanos = (budgetNanos > 0) ? System.nanoTime() + budgetNanos : startNanos - LONG_AGO_NANOS;
		AcquireRequest demand = new AcquireRequest(charges, marker, deadlineNanos);
		return this.store.acquire(demand).thenApply((answer) -> conclude(uses, answer, unasked, startNanos));
	}

	/**
	 * Say that a caller has a plan which a rule with plans does not know.
	 * @param rule the rule
	 */
	public void planUnknown(CompiledRule rule) {
		for (DecisionListener listener : this.listeners) {
			try {
				listener.planUnknown(rule.rule().id());
			}
			catch (RuntimeException ex) {
				logger.error(LISTENER_FAILED, ex);
			}
		}
	}

	/**
	 * Refuse a request that lacks a rule's key.
	 * @param rule the rule
	 * @return the refusal
	 */
	public Decision keyMissing(CompiledRule rule) {
		List<Verdict> verdicts = List.of(Verdict.unmeasured(rule.policy(), Outcome.KEY_MISSING,
				rule.rule().numbers().cost().units(), Wait.NEVER));
		Decision decision = new Decision(false, Reason.KEY_MISSING, Source.LOCAL, verdicts);
		tell(decision, 0);
		return decision;
	}

	/**
	 * Refuse a request from an address that is refused whatever rules apply.
	 * @return the refusal
	 */
	public Decision banned() {
		tell(BANNED, 0);
		return BANNED;
	}

	/**
	 * Start a subject's buckets of a rule afresh.
	 * @param ruleId the rule
	 * @param subject whose buckets
	 * @return completed when done
	 */
	public CompletableFuture<Void> reset(String ruleId, String subject) {
		List<Bucket> buckets = required(this.editions.current(), ruleId).buckets(Subjects.of(subject));
		return this.store.reset(buckets);
	}

	@Override
	public Mono<Decision> acquire(Collection<RuleCharge> charges) {
		return Mono.defer(() -> handed(decide(charges)));
	}

	@Override
	public Decision acquireBlocking(Collection<RuleCharge> charges) {
		AwaitedDecision.requireBlockingThread();
		return AwaitedDecision.await(decide(charges), this.deadline.plus(GRACE).toMillis());
	}

	private CompletableFuture<Decision> decide(Collection<RuleCharge> charges) {
		Edition current = this.editions.current();
		List<AppliedRule> uses = new ArrayList<>(charges.size());
		Set<String> seen = new HashSet<>();
		for (RuleCharge charge : charges) {
			CompiledRule rule = required(current, charge.ruleId());
			if (!seen.add(charge.ruleId())) {
				throw new IllegalArgumentException("rule '" + charge.ruleId() + "' is charged twice");
			}
			if (rule.rule().reaction().mode() != RuleMode.OFF) {
				uses.add(AppliedRule.of(rule, Subjects.of(charge.subject()),
						charge.cost().orElse(rule.rule().numbers().cost().units())));
			}
		}
		return decide(uses, Optional.empty(), this.deadline.toNanos());
	}

	private Mono<Decision> handed(CompletableFuture<Decision> decision) {
		return Mono.fromDirect((subscriber) -> subscriber
			.onSubscribe(new HandedDecision(decision, Operators.toCoreSubscriber(subscriber), this.handOver)));
	}

	private static CompiledRule required(Edition current, String ruleId) {
		return current.rule(ruleId)
			.orElseThrow(() -> new IllegalArgumentException(
					"there is no rule '" + ruleId + "'; the rules are " + current.rules().rules().keySet()));
	}

	private Decision conclude(List<Verdict> unasked, long startNanos) {
		Decision decision = new Decision(!StaticVerdicts.refuse(unasked), StaticVerdicts.reason(unasked), Source.LOCAL,
				unasked);
		tell(decision, startNanos);
		return decision;
	}

	private Decision conclude(List<AppliedRule> uses, AcquireResult answer, List<Verdict> unasked, long startNanos) {
		Decision decision = new Decision(answer.admitted(), reason(answer), answer.source(),
				StaticVerdicts.join(answer.verdicts(), unasked), (answer.admitted() && has(answer, Outcome.ALLOWED))
						? new StoreReservation(this.store, uses, answer) : Reservation.NONE);
		tell(decision, startNanos);
		return decision;
	}

	private void tell(Decision decision, long startNanos) {
		if (this.listeners.isEmpty()) {
			return;
		}
		long tookNanos = (startNanos == 0) ? 0 : System.nanoTime() - startNanos;
		for (DecisionListener listener : this.listeners) {
			// Who only listens must not turn an answer into an error.
			try {
				listener.decided(decision, tookNanos);
			}
			catch (RuntimeException ex) {
				logger.error(LISTENER_FAILED, ex);
			}
		}
	}

	private static Reason reason(AcquireResult answer) {
		if (answer.source() == Source.FALLBACK && (answer.admitted() || has(answer, Outcome.FAILED_CLOSED))) {
			return Reason.STORE_UNAVAILABLE;
		}
		if (answer.admitted()) {
			return (answer.replayed()) ? Reason.REPLAYED : Reason.WITHIN_LIMITS;
		}
		return (answer.verdicts().stream().anyMatch(RateLimitEngine::neverFits)) ? Reason.COST_ABOVE_CAPACITY
				: Reason.LIMIT_EXCEEDED;
	}

	// Asked for each decision: a stream would cost as much as the store in memory.
	private static boolean has(AcquireResult answer, Outcome outcome) {
		for (Verdict verdict : answer.verdicts()) {
			if (verdict.outcome() == outcome) {
				return true;
			}
		}
		return false;
	}

	private static boolean neverFits(Verdict verdict) {
		return verdict.outcome() == Outcome.DENIED && verdict.retryAfterMillis() == Wait.NEVER;
	}

}
