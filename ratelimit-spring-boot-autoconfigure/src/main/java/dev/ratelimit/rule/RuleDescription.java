package dev.ratelimit.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Internal: describes a rule as JSON, and as one text for each property, for comparisons
 * with other rules.
 */
public final class RuleDescription {

	private RuleDescription() {
	}

	/**
	 * The rule as JSON.
	 * @param rule the rule
	 * @return the values by name
	 */
	public static Map<String, Object> of(Rule rule) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("origin",
				rule.origin()
					.layers()
					.stream()
					.map((layer) -> EnumNames.of(layer.kind()))
					.collect(Collectors.joining("-and-")));
		description.put("layers", rule.origin().layers().stream().map(RuleDescription::of).toList());
		description.put("paths", rule.match().paths());
		description.put("exceptPaths", rule.match().exceptPaths());
		description.put("methods", rule.match().methods());
		description.put("key", rule.key().parts().stream().map(Object::toString).toList());
		description.put("limits", of(rule.numbers().quota()));
		addLimits(description, "plans", rule.numbers().plans());
		addLimits(description, "overrides", rule.numbers().overrides());
		RuleOptions.table()
			.values()
			.forEach((option) -> option.json(rule).ifPresent((value) -> description.put(option.camelName(), value)));
		return description;
	}

	private static Map<String, Object> of(Origin.Layer layer) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("kind", EnumNames.of(layer.kind()));
		description.put("location", layer.location());
		layer.change().ifPresent((change) -> {
			description.put("source", change.source());
			description.put("version", change.version());
			description.put("user", change.user());
			change.at().ifPresent((at) -> description.put("time", at.toString()));
			description.put("note", change.note());
		});
		return description;
	}

	private static void addLimits(Map<String, Object> description, String name, Map<String, LimitSet> limits) {
		if (!limits.isEmpty()) {
			Map<String, Object> descriptions = new LinkedHashMap<>();
			limits.forEach((of, quota) -> descriptions.put(of, of(quota)));
			description.put(name, descriptions);
		}
	}

	private static Object of(LimitSet quota) {
		if (quota.kind() != LimitSet.Kind.LIMITED) {
			return EnumNames.of(quota.kind());
		}
		return quota.limits().stream().map((limit) -> of(limit, quota.store())).toList();
	}

	private static Map<String, Object> of(Limit limit, String store) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("limit", limit.toString());
		description.put("burst", limit.burst());
		description.put("algorithm", limit.algorithm());
		if (limit.credit() > 0) {
			description.put("credit", limit.credit());
		}
		limit.calendar().ifPresent((calendar) -> description.put("zone", calendar.zone().getId()));
		if (limit.concurrent()) {
			description.put("lease", limit.period().toString());
		}
		if (!store.equals(LimitSet.DEFAULT_STORE)) {
			description.put("store", store);
		}
		return description;
	}

	/**
	 * The rule as one text for each property.
	 * @param rule the rule
	 * @return texts by the names of properties, as in YAML
	 */
	public static Map<String, String> texts(Rule rule) {
		Map<String, String> texts = new TreeMap<>();
		add(texts, "paths", rule.match().paths());
		add(texts, "except-paths", rule.match().exceptPaths());
		add(texts, "methods", rule.match().methods());
		add(texts, "key", rule.key().parts());
		texts.put("limit", text(rule.numbers().quota()));
		rule.numbers().plans().forEach((plan, limits) -> texts.put("plans." + plan, text(limits)));
		rule.numbers().overrides().forEach((value, limits) -> texts.put("overrides[" + value + "]", text(limits)));
		RuleOptions.table().forEach((name, option) -> option.text(rule).ifPresent((text) -> texts.put(name, text)));
		return texts;
	}

	private static void add(Map<String, String> texts, String property, List<?> list) {
		if (!list.isEmpty()) {
			texts.put(property, list.stream().map(Object::toString).collect(Collectors.joining(", ")));
		}
	}

	private static String text(LimitSet limits) {
		return (limits.kind() != LimitSet.Kind.LIMITED) ? EnumNames.of(limits.kind())
				: limits.limits().stream().map(RuleDescription::text).collect(Collectors.joining(", ")) + store(limits);
	}

	private static String store(LimitSet limits) {
		return (limits.store().equals(LimitSet.DEFAULT_STORE)) ? "" : " in store " + limits.store();
	}

	private static String text(Limit limit) {
		StringBuilder text = new StringBuilder(limit.toString());
		if (limit.burst() != limit.quantity() && !limit.concurrent()) {
			text.append(" burst ").append(limit.burst());
		}
		if (limit.credit() > 0) {
			text.append(" credit ").append(limit.credit());
		}
		if (!limit.algorithm().equals(Algorithms.DEFAULT) && !limit.concurrent()) {
			text.append(' ').append(limit.algorithm());
		}
		limit.calendar().ifPresent((calendar) -> text.append(' ').append(calendar.zone().getId()));
		if (limit.concurrent()) {
			text.append(" lease ").append(limit.period());
		}
		return text.toString();
	}

}
