package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Internal: everything that is written about rules: defaults, annotations, and
 * properties, which override annotations. Immutable.
 *
 * @param defaults what all rules inherit
 * @param annotations the rules that annotations write, by id
 * @param properties the rules under {@code ratelimit.rules}, by id
 */
public record RuleLayers(RuleDefinition defaults, Map<String, WrittenRule> annotations,
		Map<String, WrittenRule> properties) {

	/**
	 * Assemble the rules.
	 * @param warnings receives what works but is probably not intended
	 * @return the rules, in the order of their ids
	 * @throws InvalidRuleException if a rule can never work
	 */
	public List<Rule> rules(Consumer<String> warnings) {
		RuleFactory factory = new RuleFactory(this.defaults, warnings);
		Set<String> ids = new TreeSet<>(this.properties.keySet());
		ids.addAll(this.annotations.keySet());
		List<Rule> rules = new ArrayList<>(ids.size());
		for (String id : ids) {
			rules.add(rule(factory, id, this.properties.get(id), this.annotations.get(id)));
		}
		return rules;
	}

	private static Rule rule(RuleFactory factory, String id, @Nullable WrittenRule property,
			@Nullable WrittenRule annotation) {
		if (property != null && annotation != null) {
			return factory.rule(id, Origin.ANNOTATION_AND_PROPERTY, property.location(),
					property.definition().over(annotation.definition()));
		}
		if (property != null) {
			return factory.rule(id, Origin.PROPERTY, property.location(), property.definition());
		}
		if (annotation != null) {
			return factory.rule(id, Origin.ANNOTATION, annotation.location(), annotation.definition());
		}
		throw new IllegalArgumentException("The rule '" + id + "' is not defined");
	}

}
