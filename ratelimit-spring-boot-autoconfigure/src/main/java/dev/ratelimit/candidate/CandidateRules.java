package dev.ratelimit.candidate;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.EditionBeside;

/**
 * Internal: rules that are compared with the active ones, compiled beside them. Those
 * that do not differ are the active ones. Immutable.
 *
 * @param base the active edition
 * @param edition the compared one
 * @param changed ids of rules that differ, or that only one of the editions has
 * @param comparable those without limits of concurrent requests, before and after: it is
 * unknown when a slot that a candidate would hold is free again
 */
public record CandidateRules(Edition base, Edition edition, Set<String> changed, Set<String> comparable) {

	public CandidateRules {
		changed = Set.copyOf(changed);
		comparable = Set.copyOf(comparable);
	}

	/**
	 * The rules of a candidate.
	 * @param beside its edition beside the active one
	 * @return its rules
	 */
	public static CandidateRules of(EditionBeside beside) {
		Edition base = beside.base();
		Edition edition = beside.edition();
		Set<String> changed = new TreeSet<>(base.compiled().keySet());
		changed.addAll(edition.compiled().keySet());
		changed.removeIf((id) -> base.compiled().get(id) == edition.compiled().get(id));
		Set<String> comparable = new TreeSet<>(changed);
		comparable.removeIf((id) -> isConcurrent(base.rule(id)) || isConcurrent(edition.rule(id)));
		return new CandidateRules(base, edition, changed, comparable);
	}

	private static boolean isConcurrent(Optional<CompiledRule> rule) {
		return rule.stream()
			.flatMap((compiled) -> compiled.families().stream())
			.anyMatch((family) -> family.policy().concurrent());
	}

	/**
	 * Return the time after which the buckets of the changed rules are as if they had
	 * always existed.
	 * @return the maximum time in which an exhausted bucket fills, in milliseconds
	 */
	long fillMillis() {
		return this.changed.stream()
			.flatMap((id) -> this.edition.rule(id).stream())
			.flatMap((rule) -> rule.families().stream())
			.mapToLong((family) -> family.arithmetic().fillMillis())
			.max()
			.orElse(0);
	}

}
