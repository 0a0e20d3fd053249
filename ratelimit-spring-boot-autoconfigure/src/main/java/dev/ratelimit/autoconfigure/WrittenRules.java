package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.ratelimit.annotation.AnnotatedRules;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleLayers;
import dev.ratelimit.rule.WrittenRule;

/**
 * The rules as properties and annotations define them.
 *
 * @param properties the properties
 */
record WrittenRules(RateLimitProperties properties) {

	List<Rule> rules(AnnotatedRules annotated, Consumer<String> warnings) {
		Map<String, WrittenRule> written = new TreeMap<>();
		this.properties.rules().forEach((id, rule) -> {
			String location = "ratelimit.rules." + id;
			written.put(id, new WrittenRule(location, rule.definition(location)));
		});
		return new RuleLayers(this.properties.defaults().definition(), annotated.definitions(), written)
			.rules(warnings);
	}

	Set<String> programmatic() {
		return this.properties.rules()
			.entrySet()
			.stream()
			.filter((rule) -> rule.getValue().programmatic())
			.map(Map.Entry::getKey)
			.collect(Collectors.toUnmodifiableSet());
	}

}
