package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.ratelimit.rule.AnnotatedRules;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.RuleLayer;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.WrittenRule;

/**
 * Internal: the rules as properties and annotations define them.
 *
 * @param properties the properties
 */
public record WrittenRules(RateLimitProperties properties) {

	RuleLayers layers(AnnotatedRules annotated) {
		return new RuleLayers(this.properties.defaults().definition(),
				List.of(new RuleLayer(Origin.Kind.ANNOTATION, annotated.definitions()), environment()));
	}

	public RuleLayer environment() {
		Map<String, WrittenRule> written = new TreeMap<>();
		this.properties.rules().forEach((id, rule) -> {
			String location = "ratelimit.rules." + id;
			written.put(id, new WrittenRule(location, rule.definition(location)));
		});
		return new RuleLayer(Origin.Kind.PROPERTY, written);
	}

}
