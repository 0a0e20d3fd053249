package dev.ratelimit.engine;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleModes;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.ShownText;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.BucketFamily;

/**
 * Internal: all objects that were compiled from one rule set. A request uses the same
 * edition in all phases. Immutable.
 */
public final class Edition {

	/** The edition before any rules are loaded. */
	public static final Edition NONE = none(RegionTerms.NONE);

	private final RuleSet rules;

	private final Map<String, CompiledRule> compiled;

	private final Object[] parts;

	private final RegionTerms regions;

	Edition(RuleSet rules, Map<String, CompiledRule> compiled, Object[] parts, RegionTerms regions) {
		this.rules = rules;
		this.compiled = compiled;
		this.parts = parts;
		this.regions = regions;
	}

	/**
	 * The edition before any rules are loaded, in a region.
	 * @param regions the meaning of limits in the region
	 * @return the edition
	 */
	static Edition none(RegionTerms regions) {
		return new Edition(RuleSet.EMPTY, Map.of(), new Object[0], regions);
	}

	RegionTerms regions() {
		return this.regions;
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
	 * A compiled rule that must exist.
	 * @param id its id
	 * @return the rule
	 * @throws IllegalArgumentException if there is no such rule
	 */
	public CompiledRule required(String id) {
		return rule(id).orElseThrow(() -> new IllegalArgumentException(ShownText.unknownRule(id)));
	}

	/**
	 * The rules in other modes. Each compiled rule contains all its modes, so that no
	 * rule is compiled, and {@link #next} recognizes them.
	 * @param modes the modes
	 * @return the rules
	 */
	RuleSet in(RuleModes modes) {
		return this.rules.written().in(modes, (rule, mode) -> required(rule.id()).in(mode));
	}

	/**
	 * Compile the rules of the next edition. Rules that are unchanged are reused.
	 * @param next the next rules
	 * @param activation the time at which they become active
	 * @return the compiled rules by id
	 */
	Map<String, CompiledRule> next(RuleSet next, Activation activation) {
		Map<String, CompiledRule> made = new LinkedHashMap<>();
		next.rules().forEach((id, rule) -> {
			CompiledRule before = this.compiled.get(id);
			made.put(id, (before != null) ? before.changedTo(rule, activation) : CompiledRule.of(rule, this.regions));
		});
		return Collections.unmodifiableMap(made);
	}

	/**
	 * The last edition of other instances, without its parts. The next edition follows
	 * it, but it never becomes active.
	 * @param former their active rules since this edition
	 * @return the edition
	 */
	Edition after(FormerRules former) {
		Edition last = this;
		for (FormerRules.Step step : former.steps()) {
			last = new Edition(step.rules(), last.next(step.rules(), Activation.at(step.sinceNanos())), NONE.parts,
					this.regions);
		}
		return last;
	}

	/**
	 * Return the limits that all instances must have in common to share them between
	 * regions.
	 * @return the labels of all limits that are shared, in their order
	 */
	public String sharedLimits() {
		return this.compiled.values()
			.stream()
			.flatMap((rule) -> rule.families().stream())
			.filter(BucketFamily::isReported)
			.map(BucketFamily::label)
			.sorted()
			.distinct()
			.collect(Collectors.joining(","));
	}

	// The compiled parts; editions that were created before a part was added do not
	// contain it.
	Object[] parts() {
		return this.parts;
	}

	/**
	 * Compile a set in addition to this edition.
	 * @param written the set, in its written modes
	 * @param next the set, in its modes
	 * @param prefix the prefix of the scopes of the buckets of rules that differ
	 * @return the rules by id; rules that do not differ are those of this edition
	 */
	Map<String, CompiledRule> beside(RuleSet written, RuleSet next, String prefix) {
		Map<String, Rule> active = this.rules().written().rules();
		Map<String, CompiledRule> compiled = new TreeMap<>();
		next.rules().forEach((id, rule) -> {
			Rule before = active.get(id);
			Rule after = written.rules().getOrDefault(id, rule);
			boolean same = before != null && before.differsInOriginAtMost(after);
			compiled.put(id, (same) ? rule(id).orElseGet(() -> CompiledRule.of(rule, this.regions))
					: CompiledRule.inScope(rule, prefix, this.regions));
		});
		return Map.copyOf(compiled);
	}

}
