package dev.ratelimit.telemetry;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.RateLimitDecisionEvent;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;

/**
 * A decision on its way to the sinks. Immutable.
 *
 * @param at the time of the decision
 * @param version the version of the rules
 * @param uses the rules that apply
 * @param decision the decision
 * @param tookNanos the duration of the decision
 * @param weight the number of decisions that it represents
 */
record SampledDecision(Instant at, long version, List<AppliedRule> uses, Decision decision, long tookNanos,
		double weight) {

	RateLimitDecisionEvent event(String instance, SubjectNames names) {
		List<RateLimitDecisionEvent.Part> parts = new ArrayList<>();
		this.uses.forEach((use) -> parts.add(part(use, names)));
		if (this.uses.isEmpty()) {
			this.decision.verdicts().forEach((verdict) -> parts.add(part(verdict)));
		}
		return new RateLimitDecisionEvent(this.at, instance, this.version, this.decision.allowed(),
				this.decision.reason(), this.decision.source(), parts, this.tookNanos, this.weight);
	}

	private RateLimitDecisionEvent.Part part(AppliedRule use, SubjectNames names) {
		String rule = use.rule().rule().id();
		List<Verdict> own = this.decision.verdicts()
			.stream()
			.filter((verdict) -> verdict.policy().ruleId().equals(rule))
			.toList();
		Optional<String> subject = (use.hasSubject()) ? Optional.of(names.of(use.subject())) : Optional.empty();
		return new RateLimitDecisionEvent.Part(rule, subject, plan(use), use.cost(), outcome(own), remaining(own));
	}

	private static RateLimitDecisionEvent.Part part(Verdict verdict) {
		return new RateLimitDecisionEvent.Part(verdict.policy().ruleId(), Optional.empty(), Optional.empty(),
				verdict.cost(), verdict.outcome(), remaining(List.of(verdict)));
	}

	private static Optional<String> plan(AppliedRule use) {
		return use.rule()
			.plans()
			.entrySet()
			.stream()
			.filter((plan) -> plan.getValue().include(use.limits()))
			.map(Map.Entry::getKey)
			.findFirst();
	}

	// If a rule shares its bucket, its verdicts may belong to another rule.
	private Outcome outcome(List<Verdict> own) {
		return own.stream()
			.map(Verdict::outcome)
			.reduce(Outcome::with)
			.orElse((own.isEmpty() && !this.decision.allowed()) ? Outcome.SKIPPED : Outcome.ALLOWED);
	}

	private static OptionalLong remaining(List<Verdict> own) {
		return own.stream().filter((verdict) -> verdict.outcome().measured()).mapToLong(Verdict::remaining).min();
	}

}
