package dev.ratelimit.base;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.rule.PathCover;
import dev.ratelimit.rule.Rule;

/**
 * Internal: a rule, and which requests can reach it. Immutable.
 *
 * @param rule the rule
 * @param handlerPaths path patterns of the handlers that name it, after the context path
 */
public record RuleReach(Rule rule, List<String> handlerPaths) {

	/**
	 * All patterns by which the rule is reached.
	 * @return patterns of its own and of handlers
	 */
	public List<String> paths() {
		return Stream.concat(this.rule.match().paths().stream(), this.handlerPaths.stream()).toList();
	}

	/**
	 * Whether the rule charges, by its own paths, every request that another one charges.
	 * Where that is not certain, it is not.
	 * @param other the other
	 * @return whether it is certain
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
