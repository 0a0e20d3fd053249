package dev.ratelimit.engine;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

/**
 * Internal: rules that are compared with the active ones, compiled beside them. Those
 * that do not differ are the active ones. Immutable.
 *
 * @param base the active edition
 * @param edition the compared one
 * @param changed ids of rules that differ, that only one of the editions has, too
 * @param comparable those without limits of requests at a time, before and after: nothing
 * tells when a slot that a candidate would hold is free again
 */
public record CandidateRules(Edition base, Edition edition, Set<String> changed, Set<String> comparable) {

	public CandidateRules {
		changed = Set.copyOf(changed);
		comparable = Set.copyOf(comparable);
	}

	static CandidateRules of(Edition base, Edition edition) {
		Set<String> changed = new TreeSet<>(base.compiled().keySet());
		changed.addAll(edition.compiled().keySet());
		changed.removeIf((id) -> base.compiled().get(id) == edition.compiled().get(id));
		Set<String> comparable = new TreeSet<>(changed);
		comparable.removeIf((id) -> isConcurrent(base.rule(id)) || isConcurrent(edition.rule(id)));
		return new CandidateRules(base, edition, changed, comparable);
	}

	static Map<String, CompiledRule> compile(Edition base, RuleSet written, RuleSet next, String prefix) {
		Map<String, Rule> active = base.rules().written().rules();
		Map<String, CompiledRule> compiled = new TreeMap<>();
		next.rules().forEach((id, rule) -> {
			Rule before = active.get(id);
			Rule after = written.rules().getOrDefault(id, rule);
			boolean same = before != null && before.differsInOriginAtMost(after);
			compiled.put(id, (same) ? base.compiled().getOrDefault(id, CompiledRule.of(rule))
					: CompiledRule.inScope(rule, prefix));
		});
		return Map.copyOf(compiled);
	}

	private static boolean isConcurrent(Optional<CompiledRule> rule) {
		return rule.stream()
			.flatMap((compiled) -> compiled.families().stream())
			.anyMatch((family) -> family.policy().concurrent());
	}

	/**
	 * How long the changed rules' buckets take to be as if they had always been there.
	 * @return the longest time in which an exhausted bucket fills, in milliseconds
	 */
	public long fillMillis() {
		return this.changed.stream()
			.flatMap((id) -> this.edition.rule(id).stream())
			.flatMap((rule) -> rule.families().stream())
			.mapToLong((family) -> family.arithmetic().fillMillis())
			.max()
			.orElse(0);
	}

}
