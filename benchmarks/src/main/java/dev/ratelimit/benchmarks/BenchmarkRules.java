package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.Phase;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.LimitSetDefinition;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.RuleOptions;

/**
 * Creates rules with one limit for each client address.
 */
final class BenchmarkRules {

	private BenchmarkRules() {
	}

	static Rule rule(String id, String path, String limit) {
		return rule(id, path, limit, Phase.AUTO);
	}

	static Rule rule(String id, String path, String limit, Phase phase) {
		LimitSetDefinition limits = new LimitSetDefinition(List.of(LimitDefinition.of(limit)), OptionalLong.empty(),
				Optional.empty());
		return RuleLayers.inCode(id, new RuleDefinition(new Rule.Match(List.of(path), List.of(), List.of()),
				List.of("ip"), limits, Map.of(), RuleOptions.EMPTY.with(RuleOptions.PHASE, phase)));
	}

}
