package dev.ratelimit.rule;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Internal: all rules in force at a time. Immutable.
 *
 * @param version grows with every change
 * @param rules the rules by id, ids in alphabetical order
 */
public record RuleSet(long version, Map<String, Rule> rules) {

	/** No rules. */
	public static final RuleSet EMPTY = new RuleSet(0, Map.of());

	/**
	 * The set of some rules that follows this one.
	 * @param next the rules
	 * @return the next version
	 */
	public RuleSet next(Collection<Rule> next) {
		return new RuleSet(this.version + 1, next.stream()
			.collect(Collectors.toMap(Rule::id, Function.identity(), (first, second) -> first, TreeMap::new)));
	}

}
