package dev.ratelimit.rule;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import dev.ratelimit.Limit;

/**
 * Internal: what the rules of a set must not be to each other. Every set is checked
 * before it becomes active.
 */
public final class RuleSetChecks {

	private static final String PROPERTY = "ratelimit.rules.";

	private RuleSetChecks() {
	}

	/**
	 * Check a set.
	 * @param set the set
	 * @param warnings receives what works but is probably not intended
	 * @throws InvalidRuleException if the rules contradict each other
	 */
	public static void check(RuleSet set, Consumer<String> warnings) {
		Collection<Rule> rules = set.rules().values();
		requireDistinct(rules);
		requireDistinctPolicies(rules);
		requireKnownReplaced(rules);
		requireNoCircle(rules);
		SharedBuckets.check(rules, warnings);
	}

	// Environment variables have no dashes: two ids that differ by them alone would be
	// one.
	private static void requireDistinct(Collection<Rule> rules) {
		Map<String, String> seen = new HashMap<>();
		for (Rule rule : rules) {
			String other = seen.put(rule.id().replace("-", ""), rule.id());
			if (other != null) {
				throw new InvalidRuleException(rule.location(), "",
						"it differs from '" + other + "' only by dashes, which environment variables cannot represent",
						"Rename one of them; if one comes from an environment variable, set the property in a file.");
			}
		}
	}

	// A rule with several limits shows each under its id and window: nobody else may.
	private static void requireDistinctPolicies(Collection<Rule> rules) {
		Set<String> ids = new HashSet<>();
		rules.forEach((rule) -> ids.add(rule.id()));
		for (Rule rule : rules) {
			for (Limit limit : rule.limits()) {
				String policy = rule.id() + "-" + limit.window();
				if (rule.limits().size() > 1 && ids.contains(policy)) {
					throw new InvalidRuleException(PROPERTY + policy, "",
							"a limit of the rule '" + rule.id() + "' has the same policy name", "Rename the rule.");
				}
			}
		}
	}

	private static void requireKnownReplaced(Collection<Rule> rules) {
		Set<String> ids = new TreeSet<>();
		rules.forEach((rule) -> ids.add(rule.id()));
		for (Rule rule : rules) {
			for (String replaced : rule.reaction().replaces()) {
				if (!ids.contains(replaced) || replaced.equals(rule.id())) {
					throw new InvalidRuleException(rule.location() + ".replaces", replaced, "no other rule has this id",
							"Use one of " + ids + ".");
				}
			}
		}
	}

	// Rules that replace each other would leave a request to none of them.
	private static void requireNoCircle(Collection<Rule> rules) {
		Map<String, List<String>> replaced = new HashMap<>();
		rules.forEach((rule) -> replaced.put(rule.id(), rule.reaction().replaces()));
		for (Rule rule : rules) {
			Set<String> reached = new HashSet<>();
			Deque<String> open = new ArrayDeque<>(rule.reaction().replaces());
			while (!open.isEmpty()) {
				String next = open.remove();
				if (reached.add(next)) {
					open.addAll(replaced.getOrDefault(next, List.of()));
				}
			}
			if (reached.contains(rule.id())) {
				throw new InvalidRuleException(rule.location() + ".replaces", rule.reaction().replaces().toString(),
						"the rules replace each other, so none of them would apply",
						"Set 'replaces' only on the more specific rule.");
			}
		}
	}

}
