package dev.ratelimit.live.edit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.ratelimit.base.Namespaces;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;

/**
 * A rule as a line of the live page.
 */
final class LiveRuleLine {

	private LiveRuleLine() {
	}

	static Map<String, Object> all(Edition edition, Namespaces namespaces) {
		Map<String, Object> lines = new TreeMap<>();
		edition.rules().rules().forEach((id, rule) -> lines.put(id, of(rule, namespaces.owner(id).orElse(""))));
		return lines;
	}

	private static Map<String, Object> of(Rule rule, String owner) {
		Map<String, Object> line = new LinkedHashMap<>();
		line.put("limits", limits(rule.numbers().quota()));
		line.put("key", rule.key().parts().stream().map(Object::toString).collect(Collectors.joining(", ")));
		line.put("mode", EnumNames.of(rule.reaction().mode()));
		line.put("enforce", rule.reaction().ramp().toString());
		line.put("locked", rule.locked());
		line.put("origin", rule.origin().layers().stream().map(LiveRuleLine::origin).collect(Collectors.joining(", ")));
		line.put("owner", owner);
		return line;
	}

	private static String limits(LimitSet quota) {
		return (quota.kind() == LimitSet.Kind.LIMITED)
				? quota.limits().stream().map(Object::toString).collect(Collectors.joining(", "))
				: EnumNames.of(quota.kind());
	}

	private static String origin(Origin.Layer layer) {
		return layer.change()
			.map((change) -> change.source() + " " + change.version()
					+ ((change.user().isEmpty()) ? "" : " (" + change.user() + ")"))
			.orElseGet(() -> EnumNames.of(layer.kind()));
	}

}
