package dev.ratelimit.web;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.Waiting;

/**
 * A leaky bucket holds requests itself, once they are allowed, so none of them can wait
 * before.
 */
final class WaitCheck {

	private WaitCheck() {
	}

	static void check(Collection<CompiledRule> rules, HandlerRules handlers) {
		// Methods of beans that are no handlers may use both.
		Set<String> named = handlers.byHandler()
			.entrySet()
			.stream()
			.filter((handler) -> handler.getKey() instanceof HandlerKey)
			.flatMap((handler) -> handler.getValue().stream())
			.collect(Collectors.toSet());
		for (CompiledRule compiled : rules) {
			Rule rule = compiled.rule();
			boolean reached = !rule.match().paths().isEmpty() || named.contains(rule.id());
			if (reached && rule.limits().stream().anyMatch((limit) -> Algorithms.of(limit).holdsRequests())) {
				rule.reaction().waiting().ifPresent((waiting) -> reject(rule, waiting));
			}
		}
	}

	private static void reject(Rule rule, Waiting waiting) {
		throw new InvalidRuleException(rule.location() + ".wait", waiting.toString(),
				"the algorithm of the rule makes requests wait itself", "Remove 'wait', or use another algorithm.");
	}

}
