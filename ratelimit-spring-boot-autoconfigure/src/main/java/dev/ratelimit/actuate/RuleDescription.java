package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.ratelimit.Limit;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.Waiting;

/**
 * An active rule.
 */
final class RuleDescription {

	private RuleDescription() {
	}

	static Map<String, Object> of(Rule rule) {
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
		description.put("cost",
				(rule.numbers().cost().estimated()) ? rule.numbers().cost().toString() : rule.numbers().cost().units());
		addPolicy(rule, description);
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

	private static void addPolicy(Rule rule, Map<String, Object> description) {
		description.put("failure", EnumNames.of(rule.reaction().failure()));
		description.put("consistency", EnumNames.of(rule.numbers().consistency()));
		description.put("mode", EnumNames.of(rule.reaction().mode()));
		if (!rule.reaction().ramp().isFull()) {
			description.put("enforce", rule.reaction().ramp().toString());
		}
		description.put("onExcess", EnumNames.of(rule.reaction().excess().policy()));
		rule.reaction().excess().tarpit().ifPresent((tarpit) -> description.put("tarpit", tarpit.toString()));
		if (rule.numbers().all().anyMatch(Limit::concurrent)) {
			description.put("hold", EnumNames.of(rule.reaction().holding().by()));
			description.put("maxHold", rule.reaction().holding().longest().toString());
		}
		if (rule.numbers().reserves()) {
			description.put("reserve", String.valueOf(rule.numbers().reserve()));
		}
		rule.reaction().excess().ban().ifPresent((ban) -> description.put("ban", ban.text()));
		description.put("onMissingKey",
				EnumNames.of(rule.key()
					.onMissing()
					.orElse((rule.key().requiresPrincipal()) ? MissingKeyPolicy.IP : MissingKeyPolicy.SHARED)));
		description.put("phase", EnumNames.of(rule.reaction().phase()));
		rule.reaction().status().ifPresent((status) -> description.put("status", status));
		description.put("idempotency", rule.reaction().idempotency());
		if (!rule.reaction().refund().equals(Refund.NEVER)) {
			description.put("refund", rule.reaction().refund().text());
		}
		rule.reaction().waiting().ifPresent((waiting) -> description.put("wait", of(waiting)));
		if (!rule.reaction().replaces().isEmpty()) {
			description.put("replaces", rule.reaction().replaces());
		}
		rule.numbers().bucket().ifPresent((bucket) -> description.put("bucket", bucket));
		description.put("locked", rule.locked());
		addList(description, "allow", rule.access().allow());
		addList(description, "deny", rule.access().deny());
		addList(description, "bypassAuthorities", rule.access().bypassAuthorities());
	}

	private static void addLimits(Map<String, Object> description, String name, Map<String, LimitSet> limits) {
		if (!limits.isEmpty()) {
			Map<String, Object> descriptions = new LinkedHashMap<>();
			limits.forEach((of, quota) -> descriptions.put(of, of(quota)));
			description.put(name, descriptions);
		}
	}

	private static Map<String, Object> of(Waiting waiting) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("max", waiting.max().toString());
		description.put("queue", waiting.queue());
		waiting.fairBy().ifPresent((key) -> description.put("fairBy", key.toString()));
		return description;
	}

	private static void addList(Map<String, Object> description, String name, List<String> values) {
		if (!values.isEmpty()) {
			description.put(name, values);
		}
	}

	private static Object of(LimitSet quota) {
		if (quota.kind() != LimitSet.Kind.LIMITED) {
			return EnumNames.of(quota.kind());
		}
		return quota.limits().stream().map(RuleDescription::of).toList();
	}

	private static Map<String, Object> of(Limit limit) {
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
		return description;
	}

}
