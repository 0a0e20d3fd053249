package dev.ratelimit.rule;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import dev.ratelimit.Limit;

/**
 * Internal: checks that the rules of a set do not contradict each other. Every set is
 * checked before it becomes active.
 */
public final class RuleSetChecks {

	private static final String PROPERTY = "ratelimit.rules.";

	private RuleSetChecks() {
	}

	/**
	 * Check a set.
	 * @param set the set
	 * @param whole whether the set has all rules of the application, unlike in a slice
	 * for a test
	 * @param warnings receives warnings of rules that work but are probably not intended
	 * @throws InvalidRuleException if the rules contradict each other
	 */
	public static void check(RuleSet set, boolean whole, Consumer<String> warnings) {
		Collection<Rule> rules = set.rules().values();
		requireDistinct(rules);
		requireDistinctPolicies(rules);
		if (whole) {
			requireKnownReplaced(rules);
		}
		requireNoCircle(rules);
		SharedBuckets.check(rules, warnings);
	}

	// Environment variables have no dashes, so ids that differ only in dashes would be
	// the same.
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

	// The policies of a rule with several limits are named after its id and the window,
	// so no other rule may have this name as its id.
	private static void requireDistinctPolicies(Collection<Rule> rules) {
		Set<String> ids = new HashSet<>();
		rules.forEach((rule) -> ids.add(rule.id()));
		for (Rule rule : rules) {
			rule.numbers().sets().forEach((part, set) -> {
				for (Limit limit : set.limits()) {
					String policy = rule.id() + "-" + limit.window();
					if (set.limits().size() > 1 && ids.contains(policy)) {
						throw new InvalidRuleException(PROPERTY + policy, "",
								"a limit of the rule '" + rule.id() + "' has the same policy name", "Rename the rule.");
					}
				}
			});
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

	// If rules replace each other, none of them would apply to a request.
	private static void requireNoCircle(Collection<Rule> rules) {
		Map<String, List<String>> replaced = new HashMap<>();
		rules.forEach((rule) -> replaced.put(rule.id(), rule.reaction().replaces()));
		for (Rule rule : rules) {
			Set<String> visited = new HashSet<>();
			Deque<String> open = new ArrayDeque<>(rule.reaction().replaces());
			while (!open.isEmpty()) {
				String next = open.remove();
				if (visited.add(next)) {
					open.addAll(replaced.getOrDefault(next, List.of()));
				}
			}
			if (visited.contains(rule.id())) {
				throw new InvalidRuleException(rule.location() + ".replaces", rule.reaction().replaces().toString(),
						"the rules replace each other, so none of them would apply",
						"Set 'replaces' only on the more specific rule.");
			}
		}
	}

	/**
	 * Internal: checks that rules that share a bucket count in the same way and for the
	 * same subjects.
	 */
	static final class SharedBuckets {

		private SharedBuckets() {
		}

		/**
		 * Check all rules of a set.
		 * @param rules the rules
		 * @param warnings receives warnings of rules that work but are probably not
		 * intended
		 * @throws InvalidRuleException if rules cannot share their bucket
		 */
		static void check(Collection<Rule> rules, Consumer<String> warnings) {
			Map<String, Rule> byId = new HashMap<>();
			rules.forEach((rule) -> byId.put(rule.id(), rule));
			Map<String, Rule> first = new HashMap<>();
			for (Rule rule : rules) {
				rule.numbers().bucket().ifPresent((name) -> requireShared(rule, name, byId, warnings));
				Rule other = rule.numbers().bucket().map((name) -> first.putIfAbsent(name, rule)).orElse(null);
				if (other != null) {
					check(rule, other, new Checks(rule.location(), warnings));
				}
			}
		}

		// The buckets of a rule that sets no name are its own.
		private static void requireShared(Rule rule, String bucket, Map<String, Rule> byId, Consumer<String> warnings) {
			Rule named = byId.get(bucket);
			new Checks(rule.location(), warnings).require(
					named == null || named.numbers().bucket().filter(bucket::equals).isPresent(), ".bucket", bucket,
					"'" + bucket + "' is a rule that does not set this bucket, so it would share nothing",
					"Set 'bucket: " + bucket + "' on the rule '" + bucket
							+ "', too, or use a name that is not the id of a rule.");
		}

		private static void check(Rule rule, Rule other, Checks checks) {
			String shares = "'" + other.id() + "' shares the bucket and has ";
			checks.require(other.numbers().quota().equals(rule.numbers().quota())
					&& other.numbers().plans().equals(rule.numbers().plans())
					&& other.numbers().overrides().equals(rule.numbers().overrides())
					&& other.numbers().reserve().equals(rule.numbers().reserve()) && other.regions() == rule.regions(),
					".bucket", rule.numbers().bucket().orElseThrow(), shares + "other limits",
					"Set equal limits, plans, overrides, 'reserve', and 'regions', or remove 'bucket' from one of them.");
			checks.require(
					mayMeet(rule, other), ".bucket", rule.numbers().bucket().orElseThrow(), shares + "the key "
							+ other.key().parts() + ", which never has the same subject as " + rule.key().parts(),
					"Set the same key, or remove 'bucket' from one of them.");
			warn(checks, ".key", meaning(rule), meaning(other), other.id(),
					"only requests with the same subject share a bucket");
			warn(checks, ".failure", rule.reaction().failure().name().toLowerCase(Locale.ROOT),
					other.reaction().failure().name().toLowerCase(Locale.ROOT), other.id(),
					"a request that both rules match is charged once, with the stricter policy");
			warn(checks, ".idempotency", Boolean.toString(rule.reaction().idempotency()),
					Boolean.toString(other.reaction().idempotency()), other.id(),
					"a retry of a request that both rules match is charged");
		}

		private static void warn(Checks checks, String part, String value, String other, String sharer,
				String consequence) {
			checks.warnIf(!value.equals(other), part, value,
					"'" + sharer + "' shares the bucket with '" + other + "'; " + consequence);
		}

		// A subject contains the kind of each part, but not the name of a path variable.
		private static boolean mayMeet(Rule rule, Rule other) {
			if (rule.key().parts().size() != other.key().parts().size()) {
				return false;
			}
			for (int i = 0; i < rule.key().parts().size(); i++) {
				Set<KeyPart.Kind> kinds = kinds(rule, i);
				kinds.retainAll(kinds(other, i));
				if (kinds.isEmpty()) {
					return false;
				}
			}
			return true;
		}

		private static Set<KeyPart.Kind> kinds(Rule rule, int part) {
			KeyPart written = rule.key().parts().get(part);
			KeyPart.Kind kind = written.kind();
			Set<KeyPart.Kind> kinds = (kind == KeyPart.Kind.CALLER) ? EnumSet.of(KeyPart.Kind.USER, KeyPart.Kind.IP)
					: EnumSet.of(kind);
			if (rule.key().isReplacedByAddress(written)) {
				kinds.add(KeyPart.Kind.IP);
			}
			return kinds;
		}

		private static String meaning(Rule rule) {
			return rule.key()
				.parts()
				.stream()
				.map((part) -> (part.kind() == KeyPart.Kind.PATH) ? part.kind().word() : part.toString())
				.toList()
				.toString();
		}

	}

}
