package dev.ratelimit.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDescription;

/**
 * Internal: finds overrides whose replaced values in the application have changed since
 * the edit.
 */
public final class ChangedBase {

	private ChangedBase() {
	}

	/**
	 * Return the values of a rule that the overrides replace.
	 * @param base the rule without the overrides
	 * @param effective the rule with the overrides
	 * @return the replaced values by property
	 */
	public static Map<String, String> replaced(Rule base, Rule effective) {
		Map<String, String> replaced = RuleDescription.texts(base);
		Map<String, String> next = RuleDescription.texts(effective);
		replaced.entrySet().removeIf((value) -> value.getValue().equals(next.get(value.getKey())));
		return replaced;
	}

	/**
	 * Compare the replaced values with the present ones.
	 * @param document the active document
	 * @param base the rules of the application itself
	 * @param effective the effective rules
	 * @return a sentence for each difference
	 */
	static List<String> in(RuleDocument document, Map<String, Rule> base, Map<String, Rule> effective) {
		List<String> found = new ArrayList<>();
		document.revisions().forEach((id, revision) -> {
			Rule own = base.get(id);
			Rule rule = effective.get(id);
			if (own != null && rule != null && document.rules().containsKey(id)) {
				add(found, id, revision, RuleDescription.texts(own), RuleDescription.texts(rule));
			}
		});
		return found;
	}

	private static void add(List<String> found, String id, RuleRevision revision, Map<String, String> own,
			Map<String, String> effective) {
		revision.replaced().forEach((property, replaced) -> {
			String now = own.getOrDefault(property, "nothing");
			if (!now.equals(replaced)) {
				found.add("version " + revision.version() + " (" + revision.user() + ") replaced " + id + "." + property
						+ " " + replaced + " by " + effective.getOrDefault(property, "nothing") + "; this build says "
						+ now);
			}
		});
	}

}
