package dev.ratelimit.base;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.ShownText;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the rules that a user may change: all, or those of some teams. Live rules of
 * a team must stay within its paths, and must reference only its own rules and buckets.
 * Immutable.
 *
 * @param namespaces the namespaces of all teams
 * @param own the namespaces whose rules the user may change
 * @param required the authorities that the user lacks to change all rules; empty if the
 * user can change all rules
 */
public record RulePermit(Namespaces namespaces, List<Namespace> own, Optional<String> required) {

	/** The permit to change all rules. */
	public static final RulePermit ALL = new RulePermit(Namespaces.NONE, List.of(), Optional.empty());

	public RulePermit {
		own = List.copyOf(own);
	}

	/**
	 * Return the permit of a user that lacks the right to change all rules.
	 * @param namespaces the namespaces of all teams
	 * @param authorities the authorities of the user
	 * @param general the authorities that permit all changes, for messages
	 * @return the permit
	 */
	public static RulePermit of(Namespaces namespaces, Collection<String> authorities, String general) {
		List<Namespace> own = namespaces.all()
			.stream()
			.filter((namespace) -> namespace.authorities().stream().anyMatch(authorities::contains))
			.toList();
		return new RulePermit(namespaces, own, Optional.of(general));
	}

	/**
	 * Return whether there are rules that the user may change.
	 * @return whether the user may change some or all
	 */
	public boolean some() {
		return this.required.isEmpty() || !this.own.isEmpty();
	}

	/**
	 * Require the right to change all rules.
	 * @param what the operation that requires the right, as a plural noun for the message
	 * @throws EditForbiddenException if the user lacks it
	 */
	public void requireAll(String what) {
		this.required.ifPresent((authority) -> {
			throw new EditForbiddenException(what + " need the authority " + authority);
		});
	}

	/**
	 * Require the right to change a rule.
	 * @param id the id of the rule
	 * @throws EditForbiddenException if the user lacks it
	 */
	public void requireRule(String id) {
		if (this.own.isEmpty()) {
			requireAll("changes");
		}
		require(owns(id), "rule '" + ShownText.of(id) + "' belongs to " + owner(id));
	}

	/**
	 * Require the right to make an edit.
	 * @param changed the ids of the rules whose entries differ
	 * @param base the rules of the application, without live rules
	 * @param after the rules after the edit
	 * @param notApplied the ids of entries without effect on this instance, which cannot
	 * be checked
	 * @throws EditForbiddenException if the user lacks it
	 */
	public void requireEdit(Set<String> changed, Map<String, Rule> base, Map<String, Rule> after,
			Set<String> notApplied) {
		if (this.required.isEmpty()) {
			return;
		}
		for (String id : changed) {
			requireRule(id);
			require(!notApplied.contains(id), "rule '" + id + "' has no effect on this instance");
			Rule rule = after.get(id);
			if (rule != null) {
				requireBounds(rule, base.get(id));
			}
		}
	}

	// Values that are equal to those of the application are allowed, because the team did
	// not set them.
	private void requireBounds(Rule rule, @Nullable Rule own) {
		if (own == null || !rule.graphQl().equals(own.graphQl()) || !rule.descriptor().equals(own.descriptor())) {
			require(rule.graphQl().isEmpty() && rule.descriptor().isEmpty(),
					"rule '" + rule.id() + "' has 'graphql' or 'descriptor', which are not within the paths of a team");
		}
		if (own == null || !rule.match().equals(own.match())) {
			rule.match().paths().forEach((path) -> requirePath(rule.id(), path));
		}
		if (own == null || !rule.reaction().replaces().equals(own.reaction().replaces())) {
			rule.reaction()
				.replaces()
				.forEach((id) -> require(owns(id),
						"rule '" + rule.id() + "' replaces '" + id + "', which belongs to " + owner(id)));
		}
		if (own == null || !rule.numbers().bucket().equals(own.numbers().bucket())) {
			rule.numbers()
				.bucket()
				.ifPresent((name) -> require(owns(name),
						"rule '" + rule.id() + "' uses the bucket '" + name + "', which belongs to " + owner(name)));
		}
	}

	private void requirePath(String id, String path) {
		List<String> paths = this.namespaces.of(id).map(Namespace::paths).orElse(List.of());
		require(this.namespaces.of(id).filter((namespace) -> namespace.covers(path)).isPresent(),
				"rule '" + id + "' has the path '" + ShownText.of(path) + "', which is not within " + paths);
	}

	private boolean owns(String id) {
		return this.required.isEmpty() || this.namespaces.of(id).filter(this.own::contains).isPresent();
	}

	private String owner(String id) {
		return this.namespaces.owner(id).map((team) -> "'" + team + "'").orElse("no team");
	}

	private void require(boolean condition, String reason) {
		if (!condition) {
			throw new EditForbiddenException(reason + "; you may change " + prefixes(this.own));
		}
	}

	private static String prefixes(Collection<Namespace> own) {
		return own.stream().map((namespace) -> "'" + namespace.prefix() + "…'").collect(Collectors.joining(", "));
	}

}
