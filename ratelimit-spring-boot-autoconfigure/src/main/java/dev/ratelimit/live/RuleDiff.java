package dev.ratelimit.live;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.ratelimit.Limit;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDescription;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the differences between two sets of rules.
 */
public final class RuleDiff {

	private static final int MAX_NAMES = 5;

	private static final int MAX_LOGGED = 5;

	/** The property that every rule has; it shows whether the rule exists. */
	private static final String ALWAYS = "mode";

	private RuleDiff() {
	}

	public static List<RuleChange> between(Map<String, Rule> before, Map<String, Rule> after) {
		List<RuleChange> changes = new ArrayList<>();
		Set<String> ids = new TreeSet<>(before.keySet());
		ids.addAll(after.keySet());
		for (String id : ids) {
			Rule first = before.get(id);
			Rule next = after.get(id);
			if (first == null || next == null || !first.equals(next)) {
				addChanges(changes, id, values(first), values(next));
			}
		}
		return changes;
	}

	private static Map<String, String> values(@Nullable Rule rule) {
		return (rule != null) ? RuleDescription.texts(rule) : Map.of();
	}

	private static void addChanges(List<RuleChange> changes, String id, Map<String, String> before,
			Map<String, String> after) {
		Set<String> properties = new TreeSet<>(before.keySet());
		properties.addAll(after.keySet());
		for (String property : properties) {
			Optional<String> from = Optional.ofNullable(before.get(property));
			Optional<String> to = Optional.ofNullable(after.get(property));
			if (!from.equals(to)) {
				changes.add(new RuleChange(id, property, from, to));
			}
		}
	}

	/**
	 * Return the changes in one line.
	 * @param changes the changes
	 * @return a line for the log
	 */
	public static String line(List<RuleChange> changes) {
		if (changes.isEmpty()) {
			return "no effective change";
		}
		List<String> texts = texts(changes);
		String first = texts.stream().limit(MAX_LOGGED).collect(Collectors.joining(", "));
		return (texts.size() <= MAX_LOGGED) ? first : first + ", and " + (texts.size() - MAX_LOGGED) + " more";
	}

	// For added or removed rules, the properties are not listed.
	private static List<String> texts(List<RuleChange> changes) {
		Map<String, List<RuleChange>> byRule = changes.stream()
			.collect(Collectors.groupingBy(RuleChange::rule, TreeMap::new, Collectors.toList()));
		List<String> texts = new ArrayList<>();
		byRule.forEach((rule, ofRule) -> {
			if (ofRule.stream().anyMatch((change) -> change.property().equals(ALWAYS) && change.from().isEmpty())) {
				texts.add(rule + " added");
			}
			else if (ofRule.stream().anyMatch((change) -> change.property().equals(ALWAYS) && change.to().isEmpty())) {
				texts.add(rule + " removed");
			}
			else {
				ofRule.forEach((change) -> texts.add(text(change)));
			}
		});
		return texts;
	}

	public static String text(RuleChange change) {
		return change.rule() + "." + change.property() + " " + change.from().orElse("(none)") + " -> "
				+ change.to().orElse("(none)");
	}

	/**
	 * Return warnings of side effects of an edit.
	 * @param before the rules before
	 * @param after the rules after
	 * @return sentences
	 */
	public static List<String> warnings(Map<String, Rule> before, Map<String, Rule> after) {
		List<String> warnings = new ArrayList<>();
		after.forEach((id, rule) -> {
			Rule former = before.get(id);
			Set<String> rejected = rejected(rule);
			if (former != null) {
				rejected.removeAll(rejected(former));
			}
			rejected.forEach((requests) -> warnings.add(id + ": a limit of 0 rejects " + requests + ", with 403"));
			if (former != null) {
				warnings.addAll(warnings(id, former, rule));
			}
		});
		return warnings;
	}

	private static List<String> warnings(String id, Rule former, Rule rule) {
		List<String> warnings = new ArrayList<>();
		if (!rule.limits().isEmpty() && !former.limits().isEmpty() && !algorithms(former).equals(algorithms(rule))) {
			warnings.add(id + ": another algorithm starts with full buckets");
		}
		else if (!former.key().equals(rule.key())) {
			warnings.add(id + ": another key starts with full buckets");
		}
		for (Limit limit : rule.limits()) {
			former.limits()
				.stream()
				.filter((one) -> one.window().equals(limit.window()) && hasBurst(one) && !hasBurst(limit))
				.forEach((one) -> warnings.add(id + ": the former burst of " + one.burst()
						+ " is not kept; the capacity of " + limit + " is now " + limit.burst()));
		}
		if (!rule.limits().isEmpty() && rule.limits().size() < former.limits().size()) {
			Set<String> windows = rule.limits().stream().map(Limit::window).collect(Collectors.toSet());
			former.limits()
				.stream()
				.filter((one) -> !windows.contains(one.window()))
				.forEach((one) -> warnings.add(id + ": the limit " + one + " is not kept"));
		}
		lost(former.numbers().plans().keySet(), rule.numbers().plans().keySet())
			.ifPresent((names) -> warnings.add(id + ": limits of plans are not kept: " + names));
		lost(former.numbers().overrides().keySet(), rule.numbers().overrides().keySet())
			.ifPresent((names) -> warnings.add(id + ": overrides are not kept: " + names));
		lost(former.access().deny(), rule.access().deny())
			.ifPresent((addresses) -> warnings.add(id + ": no longer denied: " + addresses));
		lost(former.access().allow(), rule.access().allow())
			.ifPresent((addresses) -> warnings.add(id + ": no longer allowed without a limit: " + addresses));
		return warnings;
	}

	private static Optional<String> lost(Collection<String> before, Collection<String> after) {
		List<String> lost = before.stream().filter((name) -> !after.contains(name)).sorted().toList();
		if (lost.isEmpty()) {
			return Optional.empty();
		}
		String named = lost.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
		return Optional.of((lost.size() > MAX_NAMES) ? named + ", and " + (lost.size() - MAX_NAMES) + " more" : named);
	}

	// The requests that a limit of 0 rejects.
	private static Set<String> rejected(Rule rule) {
		Set<String> rejected = new TreeSet<>();
		if (rule.reaction().mode() == RuleMode.ENFORCE) {
			if (isBlocked(rule.numbers().quota())) {
				rejected.add("all requests that the rule matches");
			}
			rule.numbers().plans().forEach((plan, limits) -> {
				if (isBlocked(limits)) {
					rejected.add("all requests of the plan '" + plan + "'");
				}
			});
			rule.numbers().overrides().forEach((value, limits) -> {
				if (isBlocked(limits)) {
					rejected.add("all requests of '" + value + "'");
				}
			});
		}
		return rejected;
	}

	private static boolean isBlocked(LimitSet limits) {
		return limits.kind() == LimitSet.Kind.BLOCKED;
	}

	private static boolean hasBurst(Limit limit) {
		return limit.burst() != limit.quantity();
	}

	private static List<String> algorithms(Rule rule) {
		return rule.limits().stream().map(Limit::algorithm).distinct().toList();
	}

}
