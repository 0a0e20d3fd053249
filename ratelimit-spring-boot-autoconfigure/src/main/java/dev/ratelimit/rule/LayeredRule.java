package dev.ratelimit.rule;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A rule, laid together from some layers.
 *
 * @param layers the layers, the lowest first
 * @param definition what they say together
 */
record LayeredRule(List<Origin.Layer> layers, RuleDefinition definition) {

	static LayeredRule over(Optional<LayeredRule> below, Origin.Kind kind, WrittenRule written) {
		Origin.Layer layer = new Origin.Layer(kind, written.location(), written.change());
		return below
			.map((base) -> new LayeredRule(Stream.concat(base.layers.stream(), Stream.of(layer)).toList(),
					written.definition().over(base.definition)))
			.orElseGet(() -> new LayeredRule(List.of(layer), written.definition()));
	}

	boolean locked() {
		return this.definition.options().find(RuleOptions.LOCKED).orElse(false);
	}

	Rule make(RuleFactory factory, String id) {
		Origin origin = new Origin(this.layers);
		return factory.rule(id, origin, origin.top().location(), this.definition);
	}

}
