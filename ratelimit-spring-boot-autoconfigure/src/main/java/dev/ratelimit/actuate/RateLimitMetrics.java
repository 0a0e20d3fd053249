package dev.ratelimit.actuate;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Source;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.DecisionObserver;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Internal: the meters of decisions. {@code ratelimit.decisions} counts each request once
 * for each rule, by rule, algorithm, and outcome. {@code ratelimit.decision} measures the
 * duration of decisions. All meters of a rule are registered when the rule becomes
 * active, and removed with the rule. No tag contains client data.
 */
public final class RateLimitMetrics implements DecisionObserver {

	private static final Duration[] OBJECTIVES = { Duration.ofNanos(500_000), Duration.ofMillis(1),
			Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(20),
			Duration.ofMillis(50), Duration.ofMillis(100) };

	private final MeterRegistry registry;

	private final RuleTallies tallies;

	private final Timer[] allowed = new Timer[Source.values().length];

	private final Timer[] denied = new Timer[Source.values().length];

	private final Map<RuleTally, List<Meter>> requests = new HashMap<>();

	private volatile Map<String, Counter> unknownPlans = Map.of();

	/**
	 * Register meters of decisions.
	 * @param registry the registry
	 * @param store the store's name
	 * @param tallies the counts
	 */
	RateLimitMetrics(MeterRegistry registry, String store, RuleTallies tallies) {
		this.registry = registry;
		this.tallies = tallies;
		for (Source source : Source.values()) {
			this.allowed[source.ordinal()] = timer(store, source, "allowed");
			this.denied[source.ordinal()] = timer(store, source, "rejected");
		}
	}

	/**
	 * Register the meters of the rules of a set, which the tallies count already, and
	 * remove those of other rules.
	 * @param rules the set
	 */
	synchronized void follow(RuleSet rules) {
		followTallies(Set.copyOf(this.tallies.tallies()));
		Map<String, Counter> unknown = new HashMap<>();
		rules.rules().forEach((id, rule) -> {
			if (!rule.numbers().plans().isEmpty()) {
				unknown.put(id, unknownPlan(id));
			}
		});
		this.unknownPlans.forEach((id, counter) -> {
			if (!unknown.containsKey(id)) {
				this.registry.remove(counter);
			}
		});
		this.unknownPlans = Map.copyOf(unknown);
	}

	private void followTallies(Set<RuleTally> present) {
		List<RuleTally> gone = this.requests.keySet().stream().filter((tally) -> !present.contains(tally)).toList();
		gone.forEach((tally) -> {
			this.requests.getOrDefault(tally, List.of()).forEach(this.registry::remove);
			this.requests.remove(tally);
		});
		present.forEach((tally) -> this.requests.computeIfAbsent(tally, this::meters));
	}

	@Override
	public boolean observesRules() {
		return false;
	}

	@Override
	public boolean observesDuration() {
		return true;
	}

	@Override
	public void decided(List<AppliedRule> rules, Decision decision, long startNanos, long tookNanos) {
		Timer[] timers = (decision.allowed()) ? this.allowed : this.denied;
		timers[decision.source().ordinal()].record(tookNanos, TimeUnit.NANOSECONDS);
	}

	@Override
	public void planUnknown(String ruleId) {
		Counter counter = this.unknownPlans.get(ruleId);
		if (counter != null) {
			counter.increment();
		}
	}

	private List<Meter> meters(RuleTally tally) {
		return outcomes(tally).stream().map((outcome) -> decisions(tally, outcome)).toList();
	}

	// Skipped requests are not counted, because they have no decision.
	private static EnumSet<Outcome> outcomes(RuleTally tally) {
		return (tally.rule().equals(Policy.ANY.ruleId())) ? EnumSet.of(Outcome.DENY_LISTED, Outcome.SHED)
				: EnumSet.complementOf(EnumSet.of(Outcome.SKIPPED, Outcome.SHED));
	}

	private Meter decisions(RuleTally tally, Outcome outcome) {
		return FunctionCounter.builder("ratelimit.decisions", tally, (counted) -> counted.count(outcome))
			.description("Requests that a rule decided, by outcome")
			.tag("rule", tally.rule())
			.tag("algorithm", tally.algorithm())
			.tag("outcome", outcome.tag())
			.register(this.registry);
	}

	private Counter unknownPlan(String ruleId) {
		return Counter.builder("ratelimit.plan.unknown")
			.description("Requests with a plan that the rule does not define")
			.tag("rule", ruleId)
			.register(this.registry);
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
