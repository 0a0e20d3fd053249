package dev.ratelimit.base;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.PathCover;
import dev.ratelimit.rule.Rule;

/**
 * Internal: a rule, and the paths of the requests that can match it. Immutable.
 *
 * @param rule the rule
 * @param handlerPaths path patterns of the handlers that reference it, after the context
 * path
 * @param afterSecurity whether Spring Security examines the requests before the rule
 */
public record RuleReach(Rule rule, List<String> handlerPaths, boolean afterSecurity) {

	/**
	 * Return all path patterns of the rule.
	 * @return its own patterns and those of handlers
	 */
	public List<String> paths() {
		return Stream.concat(this.rule.match().paths().stream(), this.handlerPaths.stream()).toList();
	}

	/**
	 * Return whether the rule certainly charges, by its own paths, every request that
	 * another rule charges.
	 * @param other the other rule
	 * @return whether this is certain; false in cases of doubt
	 */
	public boolean covers(RuleReach other) {
		Rule.Match own = this.rule.match();
		boolean everyMethod = own.methods().isEmpty() || (other.handlerPaths.isEmpty()
				&& !other.rule.match().methods().isEmpty() && own.methods().containsAll(other.rule.match().methods()));
		boolean noException = own.exceptPaths().isEmpty()
				|| (other.handlerPaths.isEmpty() && other.rule.match().exceptPaths().containsAll(own.exceptPaths()));
		List<String> paths = other.paths();
		return everyMethod && noException && !paths.isEmpty() && paths.stream()
			.allMatch((path) -> own.paths().stream().anyMatch((pattern) -> PathCover.covers(pattern, path)));
	}

}
