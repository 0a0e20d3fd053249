package dev.ratelimit.rule;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import dev.ratelimit.MissingKeyPolicy;

/**
 * Internal. Checks rules that share a bucket: they must count alike, and for the same
 * subjects.
 */
final class SharedBuckets {

	private SharedBuckets() {
	}

	/**
	 * Check all rules of a set.
	 * @param rules the rules
	 * @param warnings receives what works and is hardly meant
	 * @throws InvalidRuleException if rules cannot share their bucket
	 */
	static void check(Collection<Rule> rules, Consumer<String> warnings) {
		Map<String, Rule> first = new HashMap<>();
		for (Rule rule : rules) {
			Rule other = rule.numbers().bucket().map((name) -> first.putIfAbsent(name, rule)).orElse(null);
			if (other != null) {
				check(rule, other, new Checks(rule.location(), warnings));
			}
		}
	}

	private static void check(Rule rule, Rule other, Checks checks) {
		String shares = "'" + other.id() + "' shares the bucket and has ";
		checks.require(
				other.numbers().quota().equals(rule.numbers().quota())
						&& other.numbers().plans().equals(rule.numbers().plans())
						&& other.numbers().overrides().equals(rule.numbers().overrides())
						&& other.numbers().reserve().equals(rule.numbers().reserve()),
				".bucket", rule.numbers().bucket().orElseThrow(), shares + "other limits",
				"Set equal limits, plans, overrides, and 'reserve', or remove 'bucket' from one of them.");
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

	// Subjects say of which kind each part is, and not what a variable of a path is
	// named.
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
		KeyPart.Kind kind = rule.key().parts().get(part).kind();
		Set<KeyPart.Kind> kinds = (kind == KeyPart.Kind.CALLER) ? EnumSet.of(KeyPart.Kind.USER, KeyPart.Kind.IP)
				: EnumSet.of(kind);
		if (rule.key().writes(MissingKeyPolicy.IP)) {
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
