package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the definitions of rules without live rules: the defaults and the layers.
 * Each layer overrides the layers before it. Created at the start. Immutable.
 *
 * @param defaults the defaults of all rules
 * @param layers the layers, the lowest first
 */
public record RuleLayers(RuleDefinition defaults, List<RuleLayer> layers) {

	public RuleLayers {
		layers = List.copyOf(layers);
	}

	/**
	 * Return these layers, with another layer in place of the layer of its kind.
	 * @param next the other layer
	 * @return the layers
	 */
	public RuleLayers with(RuleLayer next) {
		return new RuleLayers(this.defaults,
				this.layers.stream().map((layer) -> (layer.kind() == next.kind()) ? next : layer).toList());
	}

	/**
	 * Return these layers over other defaults.
	 * @param other the defaults of all rules
	 * @return the layers
	 */
	public RuleLayers with(RuleDefinition other) {
		return new RuleLayers(other, this.layers);
	}

	/**
	 * Return a rule that is defined in code, without layers and defaults.
	 * @param id the rule's id
	 * @param definition the definition
	 * @return the rule
	 * @throws InvalidRuleException if the rule is invalid
	 */
	public static Rule inCode(String id, RuleDefinition definition) {
		return RuleFactory.rule(id, Origin.CODE, new Checks("rule '" + id + "'", (warning) -> {
		}), definition, RuleDefinition.EMPTY);
	}

	/**
	 * Return the rules without live rules.
	 * @param warnings receives warnings of rules that work but are probably not intended
	 * @return the rules, in the order of their ids
	 * @throws InvalidRuleException if a rule is invalid
	 */
	public List<Rule> rules(Consumer<String> warnings) {
		return rules(Map.of(), warnings).rules();
	}

	/**
	 * Return the rules, overridden by live rules. A live entry has no effect if the rule
	 * is locked, or if the rule is missing here and the entry is not a complete rule.
	 * @param live the live rules by id, each with its change
	 * @param warnings receives warnings of rules that work but are probably not intended
	 * @return the rules, and the live entries without effect
	 * @throws InvalidRuleException if a rule is invalid
	 */
	public LayeredRules rules(Map<String, WrittenRule> live, Consumer<String> warnings) {
		live.values().forEach(RuleLayers::requireNotLocking);
		RuleFactory factory = new RuleFactory(this.defaults, warnings);
		Set<String> ids = new TreeSet<>(live.keySet());
		this.layers.forEach((layer) -> ids.addAll(layer.rules().keySet()));
		List<Rule> rules = new ArrayList<>(ids.size());
		List<LayeredRules.NotApplied> notApplied = new ArrayList<>();
		for (String id : ids) {
			Optional<LayeredRule> below = below(id);
			WrittenRule entry = live.get(id);
			String reason = (entry != null) ? notApplicable(id, entry, below) : "";
			if (entry != null && !reason.isEmpty()) {
				notApplied.add(new LayeredRules.NotApplied(id, entry.location(), reason));
				entry = null;
			}
			over(below, entry).ifPresent((rule) -> rules.add(rule.make(factory, id)));
		}
		return new LayeredRules(rules, notApplied);
	}

	// Empty if no layer defines the rule.
	private Optional<LayeredRule> below(String id) {
		Optional<LayeredRule> found = Optional.empty();
		for (RuleLayer layer : this.layers) {
			WrittenRule written = layer.rules().get(id);
			if (written != null) {
				found = Optional.of(LayeredRule.over(found, layer.kind(), written));
			}
		}
		return found;
	}

	private static Optional<LayeredRule> over(Optional<LayeredRule> below, @Nullable WrittenRule entry) {
		return (entry != null) ? Optional.of(LayeredRule.over(below, Origin.Kind.LIVE, entry)) : below;
	}

	private static String notApplicable(String id, WrittenRule entry, Optional<LayeredRule> below) {
		if (below.isPresent()) {
			return (below.get().locked()) ? "the rule '" + id + "' is locked in this application" : "";
		}
		return (entry.definition().isWhole()) ? "" : "this application has no rule '" + id
				+ "', and the entry is not a whole rule: it requires a limit or plans, and 'paths', 'descriptor', 'graphql', or 'programmatic: true'";
	}

	private static void requireNotLocking(WrittenRule entry) {
		entry.definition().options().find(RuleOptions.LOCKED).ifPresent((locked) -> {
			throw new InvalidRuleException(entry.location() + ".locked", locked.toString(),
					"a live rule cannot lock or unlock a rule",
					"Remove 'locked', or set it in the application's own configuration.");
		});
	}

	/**
	 * A rule, combined from several layers.
	 *
	 * @param layers the layers, the lowest first
	 * @param definition their combined definition
	 */
	private record LayeredRule(List<Origin.Layer> layers, RuleDefinition definition) {

		static LayeredRule over(Optional<LayeredRule> below, Origin.Kind kind, WrittenRule written) {
			Origin.Layer layer = new Origin.Layer(kind, written.location(), written.change());
			return below
				.map((base) -> new LayeredRule(Stream.concat(base.layers.stream(), Stream.of(layer)).toList(),
						written.definition().over(base.definition)))
				.orElseGet(() -> new LayeredRule(List.of(layer), written.definition()));
		}

		boolean locked() {
			return this.definition.options().get(RuleOptions.LOCKED);
		}

		Rule make(RuleFactory factory, String id) {
			Origin origin = new Origin(this.layers);
			return factory.rule(id, origin, origin.top().location(), this.definition);
		}

	}

}
