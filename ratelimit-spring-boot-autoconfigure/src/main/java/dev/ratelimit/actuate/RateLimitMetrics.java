package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Decision;
import dev.ratelimit.Limit;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.InlineListener;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Internal: counts decisions: {@code ratelimit.requests} by rule, algorithm and outcome,
 * one count a rule and request, and {@code ratelimit.decision}, the time from question to
 * answer. All meters of a rule are made when the rule becomes active; no tag is ever a
 * client's.
 */
public final class RateLimitMetrics implements InlineListener {

	private static final Duration[] OBJECTIVES = { Duration.ofNanos(500_000), Duration.ofMillis(1),
			Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(20),
			Duration.ofMillis(50), Duration.ofMillis(100) };

	private final MeterRegistry registry;

	private final Timer[] allowed = new Timer[Source.values().length];

	private final Timer[] denied = new Timer[Source.values().length];

	private volatile Map<String, Counter[]> counters = Map.of();

	private volatile Map<String, Counter> unknownPlans = Map.of();

	/**
	 * Count into a registry.
	 * @param registry the registry
	 * @param store the store's name
	 */
	public RateLimitMetrics(MeterRegistry registry, String store) {
		this.registry = registry;
		for (Source source : Source.values()) {
			this.allowed[source.ordinal()] = timer(store, source, "allowed");
			this.denied[source.ordinal()] = timer(store, source, "denied");
		}
	}

	/**
	 * Make the meters of a set's rules.
	 * @param rules the set
	 */
	public void follow(RuleSet rules) {
		Map<String, Counter[]> made = new HashMap<>();
		rules.rules().forEach((id, rule) -> made.put(id, counters(rule)));
		made.put(Policy.ANY.ruleId(), new Counter[Outcome.values().length]);
		made.get(Policy.ANY.ruleId())[Outcome.BANNED.ordinal()] = counter(Policy.ANY.ruleId(), "none", Outcome.BANNED);
		this.counters = Map.copyOf(made);
		Map<String, Counter> unknown = new HashMap<>();
		rules.rules().forEach((id, rule) -> {
			if (!rule.numbers().plans().isEmpty()) {
				unknown.put(id, unknownPlan(id));
			}
		});
		this.unknownPlans = Map.copyOf(unknown);
	}

	@Override
	public void decided(Decision decision, long tookNanos) {
		Timer[] timers = (decision.allowed()) ? this.allowed : this.denied;
		timers[decision.source().ordinal()].record(tookNanos, TimeUnit.NANOSECONDS);
		String counted = "";
		for (int i = 0; i < decision.verdicts().size(); i++) {
			Verdict verdict = decision.verdicts().get(i);
			String rule = verdict.policy().ruleId();
			if (verdict.cost() > 0 && !rule.equals(counted)) {
				count(rule, outcome(decision, i), decision.allowed());
				counted = rule;
			}
		}
	}

	@Override
	public void planUnknown(String ruleId) {
		Counter counter = this.unknownPlans.get(ruleId);
		if (counter != null) {
			counter.increment();
		}
	}

	// A rule with room for a request that another rule rejects has neither allowed nor
	// denied it.
	private void count(String rule, Outcome outcome, boolean allowed) {
		Counter[] ofRule = this.counters.get(rule);
		if (ofRule != null && (allowed || !outcome.passes())) {
			ofRule[outcome.ordinal()].increment();
		}
	}

	// A rule with several limits has one outcome: that of the first limit which does not
	// simply allow. What a failure policy allowed is told apart from what the store did.
	private static Outcome outcome(Decision decision, int first) {
		Policy policy = decision.verdicts().get(first).policy();
		for (int i = first; i < decision.verdicts().size(); i++) {
			Verdict verdict = decision.verdicts().get(i);
			if (!verdict.policy().ruleId().equals(policy.ruleId())) {
				break;
			}
			if (verdict.outcome() != Outcome.ALLOWED) {
				return verdict.outcome();
			}
		}
		return (decision.source() == Source.FALLBACK) ? Outcome.FAILED_OPEN : Outcome.ALLOWED;
	}

	private Counter[] counters(Rule rule) {
		Counter[] counters = new Counter[Outcome.values().length];
		// What was skipped is in no count: nothing was decided.
		for (Outcome outcome : EnumSet.complementOf(EnumSet.of(Outcome.SKIPPED))) {
			counters[outcome.ordinal()] = counter(rule.id(), algorithm(rule), outcome);
		}
		return counters;
	}

	private Counter counter(String rule, String algorithm, Outcome outcome) {
		return Counter.builder("ratelimit.requests")
			.description("Requests per rule and outcome")
			.tag("rule", rule)
			.tag("algorithm", algorithm)
			.tag("outcome", word(outcome))
			.register(this.registry);
	}

	private Counter unknownPlan(String ruleId) {
		return Counter.builder("ratelimit.plan.unknown")
			.description("Requests with a plan that the rule does not define")
			.tag("rule", ruleId)
			.register(this.registry);
	}

	private static String algorithm(Rule rule) {
		return rule.limits().stream().findFirst().map(Limit::algorithm).orElse("none");
	}

	private Timer timer(String store, Source source, String outcome) {
		return Timer.builder("ratelimit.decision")
			.description("Time to make a decision")
			.tag("store", store)
			.tag("path", word(source))
			.tag("outcome", outcome)
			.serviceLevelObjectives(OBJECTIVES)
			.register(this.registry);
	}

	private static String word(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
