package dev.ratelimit.gate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.engine.Sanction;
import dev.ratelimit.engine.SanctionKeeper;
import dev.ratelimit.engine.Strikes;
import dev.ratelimit.engine.WaitRequest;
import dev.ratelimit.engine.WaitResult;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the stage of the gate that charges a call under all rules that match it, in
 * one step. All fronts share it. Thread-safe.
 *
 * @param <C> the calls of a front
 */
public final class RuleStage<C extends Call> {

	private final RateLimitEngine engine;

	private final CallReader<C> reader;

	private final PartitionKeys partitionKeys;

	private final String phase;

	private final PassageObserver observer;

	private final LongSupplier clock;

	private final long deadlineNanos;

	private final boolean waits;

	/**
	 * Create a stage.
	 * @param engine the engine
	 * @param reader reads plans and retry keys
	 * @param partitionKeys identifies subjects in header fields
	 * @param phase the phase of its decisions, for the observer
	 * @param observer observes the calls
	 */
	public RuleStage(RateLimitEngine engine, CallReader<C> reader, PartitionKeys partitionKeys, String phase,
			PassageObserver observer) {
		this.engine = engine;
		this.reader = reader;
		this.partitionKeys = partitionKeys;
		this.phase = phase;
		this.observer = observer;
		this.clock = engine::nanos;
		this.deadlineNanos = engine.deadline().toNanos();
		this.waits = reader.waits() && engine.waits();
	}

	/**
	 * Create a stage of a front without plans, retry keys, and partitions.
	 * @param engine the engine
	 * @param phase the phase of its decisions, for the observer
	 * @param observer observes the calls
	 */
	public RuleStage(RateLimitEngine engine, String phase, PassageObserver observer) {
		this(engine, new CallReader<>() {
		}, PartitionKeys.NONE, phase, observer);
	}

	/**
	 * Charge a call.
	 * @param matches the rules that apply, those of the handler or method first
	 * @param call the call
	 * @param progress the progress of the call
	 * @return the new progress
	 */
	public CompletableFuture<RequestProgress> enter(List<? extends RuleMatch<C>> matches, C call,
			RequestProgress progress) {
		return enter(matches, call, progress, CompiledLimits::ofNormal);
	}

	/**
	 * Charge a call of a level.
	 * @param matches the rules that apply, those of the handler or method first
	 * @param call the call
	 * @param progress the progress of the call
	 * @param level finds the limits of the level
	 * @return the new progress
	 */
	public CompletableFuture<RequestProgress> enter(List<? extends RuleMatch<C>> matches, C call,
			RequestProgress progress, UnaryOperator<CompiledLimits> level) {
		List<AppliedRule> applied = new ArrayList<>(matches.size());
		SanctionKeeper sanctions = this.engine.editions().sanctions();
		Strikes strikes = Strikes.NONE;
		boolean retriable = false;
		boolean waits = false;
		String last = "";
		for (RuleMatch<C> match : matches) {
			GateRule<C> rule = match.rule();
			// A rule belongs to one phase, so it matches a call again only if a second
			// filter of that phase runs.
			boolean again = progress.hasDecided(rule.id());
			if (again && !match.dependsOnRoute()) {
				rule.watch().sawAgain();
			}
			AccessList.AccessDecision access = rule.access().of(call);
			String subject = (access == AccessList.AccessDecision.LIMITED)
					? subject(rule, match, call, again || rule.id().equals(last)) : null;
			last = rule.id();
			CompiledRule compiled = (subject != null) ? rule.compiled().of(subject) : rule.compiled();
			if (isAgain(applied, compiled, access, subject)) {
				continue;
			}
			if (access != AccessList.AccessDecision.LIMITED) {
				rule.watch().sawListedClient();
				applied.add((access == AccessList.AccessDecision.DENIED) ? AppliedRule.denied(compiled)
						: AppliedRule.bypassed(compiled));
			}
			else if (subject != null) {
				Sanction sanction = sanctions.find(rule.id(), subject);
				if (sanction != null) {
					AppliedRule denial = sanction.denial(compiled, subject, this.engine.nanos());
					if (denial != null) {
						applied.add(denial);
						continue;
					}
					compiled = sanction.marking(compiled);
				}
				else if (compiled.counts()) {
					strikes = sanctions.strikes(strikes, compiled, subject, call.isCrossSite(),
							call.hasAddressOfItsOwn());
				}
				CompiledLimits limits = level.apply(limits(compiled, subject, call));
				applied.add(new AppliedRule(compiled, limits, subject, rule.units(call, match, limits)));
				retriable |= rule.freesRetries();
				waits |= compiled.waits();
			}
			else if (rule.requiresKey()) {
				return reject(call, progress, this.engine.keyMissing(compiled));
			}
		}
		if (applied.isEmpty()) {
			return CompletableFuture.completedFuture(progress);
		}
		Optional<RetryKey> retry = (retriable) ? this.reader.retryKey(call) : Optional.empty();
		return (waits && this.waits) ? enterQueue(matches, applied, retry, call, progress, strikes)
				: decide(applied, retry, call, progress, strikes);
	}

	/**
	 * Reject a call that some rules do not charge, if one of them rejects the client
	 * regardless of the remaining units.
	 * @param matches the rules
	 * @param call the call
	 * @param progress the progress of the call
	 * @return the new progress
	 */
	public CompletableFuture<RequestProgress> meetBans(List<? extends RuleMatch<C>> matches, C call,
			RequestProgress progress) {
		List<AppliedRule> denials = new ArrayList<>();
		for (RuleMatch<C> match : matches) {
			AppliedRule denial = denial(match, call);
			if (denial != null) {
				denials.add(denial);
			}
		}
		return (denials.isEmpty()) ? CompletableFuture.completedFuture(progress)
				: decide(denials, Optional.empty(), call, progress, Strikes.NONE);
	}

	private @Nullable AppliedRule denial(RuleMatch<C> match, C call) {
		GateRule<C> rule = match.rule();
		AccessList.AccessDecision access = rule.access().of(call);
		if (access == AccessList.AccessDecision.DENIED) {
			return AppliedRule.denied(rule.compiled());
		}
		SanctionKeeper sanctions = this.engine.editions().sanctions();
		if (access != AccessList.AccessDecision.LIMITED || !sanctions.any()) {
			return null;
		}
		String subject = rule.expectedSubject(call, match).orElse(null);
		Sanction sanction = (subject != null) ? sanctions.find(rule.id(), subject) : null;
		return (subject != null && sanction != null)
				? sanction.denial(rule.compiled().of(subject), subject, this.engine.nanos()) : null;
	}

	/**
	 * Reject a call without charges.
	 * @param call the call
	 * @param progress the progress of the call
	 * @param rejection the rejection
	 * @return the new progress
	 */
	public CompletableFuture<RequestProgress> reject(C call, RequestProgress progress, Decision rejection) {
		this.observer.enter(this.phase, call, progress).accept(rejection);
		return CompletableFuture.completedFuture(progress.rejected(rejection));
	}

	/**
	 * Reject a call because this instance has no capacity for it.
	 * @param call the call
	 * @param charged the progress of the call, whose charges are refunded
	 * @return the new progress
	 */
	public CompletableFuture<RequestProgress> shed(C call, RequestProgress charged) {
		charged.cancel();
		return reject(call, charged, this.engine.shed());
	}

	private CompletableFuture<RequestProgress> decide(List<AppliedRule> applied, Optional<RetryKey> retry, C call,
			RequestProgress progress, Strikes strikes) {
		Consumer<Decision> passage = this.observer.enter(this.phase, call, progress);
		long startNanos = this.engine.nanos();
		long budgetNanos = this.deadlineNanos - progress.spentNanos();
		return this.engine.evaluation().evaluate(applied, retry, budgetNanos).thenApply((decision) -> {
			passage.accept(decision);
			return decided(decision, applied, this.engine.nanos() - startNanos, progress, strikes);
		});
	}

	// Charges a call under rules that let it wait. The observer is called at the end of
	// the wait, because there is no decision before.
	private CompletableFuture<RequestProgress> enterQueue(List<? extends RuleMatch<C>> matches,
			List<AppliedRule> applied, Optional<RetryKey> retry, C call, RequestProgress progress, Strikes strikes) {
		Consumer<Decision> passage = this.observer.enter(this.phase, call, progress);
		long startNanos = this.engine.nanos();
		// Found here, because queues call no code of the application.
		Map<String, String> flows = flows(matches, applied, call);
		WaitRequest request = new WaitRequest(applied, retry, (rule) -> flows.getOrDefault(rule.id(), rule.subject()),
				OptionalLong.empty(), progress.spentNanos(), call.waitingPlaces());
		return this.engine.queues().enter(request).thenApply((ticket) -> {
			// The time in the queue does not count as time in the store.
			long tookNanos = this.engine.nanos() - startNanos;
			CompletableFuture<RequestProgress> next = ticket.result()
				.whenComplete((result, failure) -> complete(passage, result))
				.thenApply((result) -> decided(result.decision(), result.applied(), tookNanos, progress, strikes));
			if (next.isDone() && !next.isCompletedExceptionally()) {
				return next.join();
			}
			// A waiting request releases its seat.
			progress.endings().startStreaming();
			return progress.waiting(new Delay.Queued(ticket, next));
		});
	}

	// There is no decision for a call that has left its queue.
	private static void complete(Consumer<Decision> passage, @Nullable WaitResult result) {
		passage.accept((result != null) ? result.decision() : Decision.UNMATCHED);
	}

	private RequestProgress decided(Decision decision, List<AppliedRule> applied, long tookNanos,
			RequestProgress progress, Strikes strikes) {
		strikes.decided(decision);
		return progress
			.decided(decision, this.engine.spentNanos(applied, tookNanos), Completion.of(decision, applied),
					Delay.of(decision, applied, this.clock))
			.ending(Completion.counting(decision, strikes))
			.partitioned(this.partitionKeys.of(applied));
	}

	// Return the flows by rule, except those that are the subject.
	private static <C extends Call> Map<String, String> flows(List<? extends RuleMatch<C>> matches,
			List<AppliedRule> applied, C call) {
		Map<String, String> flows = Map.of();
		for (AppliedRule rule : applied) {
			String flow = (rule.rule().waits()) ? flow(matches, rule, call) : rule.subject();
			if (!flow.equals(rule.subject())) {
				flows = (flows.isEmpty()) ? new HashMap<>() : flows;
				flows.putIfAbsent(rule.id(), flow);
			}
		}
		return flows;
	}

	private static <C extends Call> String flow(List<? extends RuleMatch<C>> matches, AppliedRule rule, C call) {
		for (RuleMatch<C> match : matches) {
			if (match.rule().id().equals(rule.id())) {
				return match.rule().flow(call, match, rule.subject());
			}
		}
		return rule.subject();
	}

	private static <C extends Call> @Nullable String subject(GateRule<C> rule, RuleMatch<C> match, C call,
			boolean counted) {
		return (counted) ? rule.expectedSubject(call, match).orElse(null) : rule.subject(call, match);
	}

	// A rule that matches a call twice, such as by both paths of a request, charges each
	// subject once.
	static boolean isAgain(List<AppliedRule> applied, CompiledRule rule, AccessList.AccessDecision access,
			@Nullable String subject) {
		AppliedRule last = (applied.isEmpty()) ? null : applied.get(applied.size() - 1);
		return last != null && last.rule().differsInModeAtMost(rule)
				&& (access != AccessList.AccessDecision.LIMITED || last.subject().equals(subject));
	}

	private CompiledLimits limits(CompiledRule rule, String subject, C call) {
		if (!rule.limitsByPlan(subject)) {
			return rule.limits(subject);
		}
		Optional<String> plan = this.reader.plan(call);
		if (plan.isPresent() && !rule.plans().containsKey(plan.get())) {
			this.engine.planUnknown(rule);
		}
		return rule.limits(subject, plan);
	}

}
