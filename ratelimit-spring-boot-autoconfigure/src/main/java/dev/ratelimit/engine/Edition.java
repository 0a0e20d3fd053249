package dev.ratelimit.engine;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.ShownText;
import dev.ratelimit.store.Activation;

/**
 * Internal: everything that was compiled from one rule set. A request keeps the edition
 * that it met first. Immutable.
 */
public final class Edition {

	/** The edition before any rules are loaded. */
	public static final Edition NONE = new Edition(RuleSet.EMPTY, Map.of(), new Object[0]);

	private final RuleSet rules;

	private final Map<String, CompiledRule> compiled;

	private final Object[] parts;

	Edition(RuleSet rules, Map<String, CompiledRule> compiled, Object[] parts) {
		this.rules = rules;
		this.compiled = compiled;
		this.parts = parts;
	}

	/**
	 * The rules as they were written.
	 * @return the set
	 */
	public RuleSet rules() {
		return this.rules;
	}

	/**
	 * The compiled rules.
	 * @return the rules by id
	 */
	public Map<String, CompiledRule> compiled() {
		return this.compiled;
	}

	/**
	 * A compiled rule.
	 * @param id its id
	 * @return the rule, if there is one
	 */
	public Optional<CompiledRule> rule(String id) {
		return Optional.ofNullable(this.compiled.get(id));
	}

	/**
	 * Compile the rules of the next edition; those that are as they are here stay so.
	 * @param next the next rules
	 * @param activation tells when they become active
	 * @return the compiled rules by id
	 */
	Map<String, CompiledRule> next(RuleSet next, Activation activation) {
		Map<String, CompiledRule> made = new TreeMap<>();
		next.rules().forEach((id, rule) -> {
			CompiledRule before = this.compiled.get(id);
			made.put(id, (before != null) ? before.changedTo(rule, activation) : CompiledRule.of(rule));
		});
		return Map.copyOf(made);
	}

	/**
	 * A compiled rule that must exist.
	 * @param id its id
	 * @return the rule
	 * @throws IllegalArgumentException if there is no such rule
	 */
	public CompiledRule required(String id) {
		return rule(id).orElseThrow(() -> new IllegalArgumentException(ShownText.unknownRule(id)));
	}

	// What the parts of the application have compiled; editions from before a part was
	// added lack it.
	Object[] parts() {
		return this.parts;
	}

}
