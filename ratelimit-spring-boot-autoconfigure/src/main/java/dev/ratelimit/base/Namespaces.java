package dev.ratelimit.base;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Internal: the namespaces of all teams. Immutable.
 *
 * @param all the namespaces
 */
public record Namespaces(List<Namespace> all) {

	/** Without namespaces, no rule belongs to a team. */
	public static final Namespaces NONE = new Namespaces(List.of());

	public Namespaces {
		all = List.copyOf(all);
	}

	/**
	 * Return the namespace of a rule.
	 * @param id the id of the rule, or the name of a bucket
	 * @return the namespace with the longest matching prefix; empty if it belongs to no
	 * team
	 */
	Optional<Namespace> of(String id) {
		return this.all.stream()
			.filter((namespace) -> id.startsWith(namespace.prefix()))
			.max(Comparator.comparingInt((namespace) -> namespace.prefix().length()));
	}

	/**
	 * Return the team that a rule belongs to.
	 * @param id the id of the rule
	 * @return the name of the team; empty if there is none
	 */
	public Optional<String> owner(String id) {
		return of(id).map(Namespace::team);
	}

}
