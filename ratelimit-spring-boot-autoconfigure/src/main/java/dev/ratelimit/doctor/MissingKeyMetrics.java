package dev.ratelimit.doctor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of the key of each active rule whose key can be missing:
 * {@code ratelimit.key.checked} counts the requests that were checked for the key, and
 * {@code ratelimit.key.missing} counts those without it. The number of decisions is lower
 * than the number of checks, because skipped requests have no decision. Thread-safe.
 */
final class MissingKeyMetrics {

	private final MeterRegistry registry;

	private final RequestObservations observations;

	private final Map<String, List<FunctionCounter>> counters = new HashMap<>();

	private MissingKeyMetrics(MeterRegistry registry, RequestObservations observations) {
		this.registry = registry;
		this.observations = observations;
	}

	/**
	 * Register the meters of the active rules, now and after each change.
	 * @param registry the registry
	 * @param observations the counts
	 * @param editions the editions of the rules
	 * @return the meters
	 */
	static MissingKeyMetrics of(MeterRegistry registry, RequestObservations observations, Editions editions) {
		MissingKeyMetrics metrics = new MissingKeyMetrics(registry, observations);
		editions.addListener((edition) -> metrics.follow(edition.rules()));
		return metrics;
	}

	private synchronized void follow(RuleSet rules) {
		Set<String> present = rules.rules()
			.values()
			.stream()
			.filter((rule) -> rule.key().mayBeMissing())
			.map(Rule::id)
			.collect(Collectors.toSet());
		this.counters.entrySet().removeIf((entry) -> {
			boolean gone = !present.contains(entry.getKey());
			if (gone) {
				entry.getValue().forEach(this.registry::remove);
			}
			return gone;
		});
		present.forEach((id) -> this.counters.computeIfAbsent(id, this::counters));
	}

	private List<FunctionCounter> counters(String ruleId) {
		return List.of(
				FunctionCounter
					.builder("ratelimit.key.missing", this.observations, (observations) -> observations.lacking(ruleId))
					.description("Requests that did not have the rule's key")
					.tag("rule", ruleId)
					.register(this.registry),
				FunctionCounter
					.builder("ratelimit.key.checked", this.observations,
							(observations) -> observations.evaluations(ruleId))
					.description("Requests that were checked for the rule's key")
					.tag("rule", ruleId)
					.register(this.registry));
	}

}
