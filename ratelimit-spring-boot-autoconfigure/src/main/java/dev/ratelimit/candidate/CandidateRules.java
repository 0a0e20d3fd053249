package dev.ratelimit.candidate;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.EditionBeside;

/**
 * Internal: the compiled rules of a candidate, which are compared with the active rules.
 * Rules without differences are the same objects as the active rules. Immutable.
 *
 * @param base the active edition
 * @param edition the edition of the candidate
 * @param changed ids of rules that differ, or that only one of the editions has
 * @param comparable ids of changed rules that have no limits of concurrent requests in
 * either edition; with such limits, it is unknown when a request would free the slot of a
 * candidate
 */
public record CandidateRules(Edition base, Edition edition, Set<String> changed, Set<String> comparable) {

	public CandidateRules {
		changed = Set.copyOf(changed);
		comparable = Set.copyOf(comparable);
	}

	/**
	 * Return the rules of a candidate.
	 * @param beside the edition of the candidate and the active edition
	 * @return the rules of the candidate
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
	 * Return the time after which the full buckets at the start of the candidate do not
	 * affect decisions.
	 * @return the maximum time in which an exhausted bucket fills, in milliseconds
	 */
	long fillMillis() {
		return this.changed.stream()
			.flatMap((id) -> this.edition.rule(id).stream())
			.flatMap((rule) -> rule.families().stream())
			.mapToLong((family) -> family.calculator().fillMillis())
			.max()
			.orElse(0);
	}

}
