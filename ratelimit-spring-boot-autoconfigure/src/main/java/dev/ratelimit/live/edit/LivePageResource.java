package dev.ratelimit.live.edit;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.ratelimit.Outcome;
import dev.ratelimit.actuate.LiveAccess;
import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.actuate.RuleTallies;
import dev.ratelimit.actuate.RuleTally;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.ActiveSwitch;
import dev.ratelimit.live.Switches;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;

/**
 * Internal: {@code page}, everything that the live page reads each second. It costs no
 * call of the store.
 *
 * @param instance this instance
 * @param parts the names of all parts of the endpoint
 * @param editions the editions of the rules
 * @param tallies counts of requests
 * @param store describes the store
 * @param overview describes the source of live rules
 * @param switches the switches
 * @param access the rights of the user
 * @param clock the time
 */
record LivePageResource(Instance instance, Supplier<List<String>> parts, Editions editions, RuleTallies tallies,
		Supplier<Map<String, Object>> store, Supplier<Map<String, Object>> overview, Switches switches,
		LiveAccess access, InstantSource clock) implements LiveResource {

	@Override
	public String name() {
		return "page";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		Map<String, Object> source = this.overview.get();
		Map<String, Object> page = new LinkedHashMap<>();
		page.put("instance", this.instance);
		page.put("parts", this.parts.get());
		page.put("at", this.clock.millis());
		page.put("source", source.get("source"));
		page.put("writable", source.get("writable"));
		page.put("version", source.getOrDefault("version", 0L));
		page.put("trouble", trouble(source));
		page.put("store", this.store.get());
		page.put("may", Map.of("write", this.access.permit(request.principal(), false).some(), "operate",
				this.access.permit(request.principal(), true).some()));
		page.put("tallies", tallied());
		page.put("rules", LiveRuleRow.all(this.editions.current(), this.access.namespaces()));
		page.put("switches", this.switches.active().stream().map(this::row).toList());
		return Optional.of(page);
	}

	private static List<String> trouble(Map<String, Object> source) {
		return List.of("rejected", "trouble")
			.stream()
			.map(source::get)
			.filter(String.class::isInstance)
			.map(String.class::cast)
			.toList();
	}

	private Map<String, Object> tallied() {
		Map<String, Object> counts = new LinkedHashMap<>();
		for (RuleTally tally : this.tallies.tallies()) {
			long allowed = 0;
			long denied = 0;
			for (Outcome outcome : Outcome.values()) {
				allowed += (outcome.passes()) ? tally.count(outcome) : 0;
				denied += (outcome.passes()) ? 0 : tally.count(outcome);
			}
			counts.put(tally.rule(), Map.of("allowed", allowed, "denied", denied));
		}
		return counts;
	}

	private Map<String, Object> row(ActiveSwitch active) {
		Map<String, Object> row = new LinkedHashMap<>();
		active.change().rule().ifPresent((rule) -> row.put("rule", rule));
		row.put("mode", EnumNames.of(active.change().mode()));
		row.put("endsInSeconds", Math.max(0, active.change().untilMillis() - this.switches.nowMillis()) / 1000);
		row.put("user", active.change().user());
		row.put("note", active.change().note());
		row.put("instanceOnly", active.instanceOnly());
		return row;
	}

	/**
	 * This instance.
	 *
	 * @param id its random id
	 * @param host the name of its host
	 * @param application the name of the application; empty if it has none
	 */
	record Instance(String id, String host, String application) {
	}

	/**
	 * A rule as a line of the live page.
	 */
	private static final class LiveRuleRow {

		private LiveRuleRow() {
		}

		static Map<String, Object> all(Edition edition, Namespaces namespaces) {
			Map<String, Object> rows = new TreeMap<>();
			edition.rules().rules().forEach((id, rule) -> rows.put(id, of(rule, namespaces.owner(id).orElse(""))));
			return rows;
		}

		private static Map<String, Object> of(Rule rule, String owner) {
			Map<String, Object> row = new LinkedHashMap<>();
			row.put("limits", limits(rule.numbers().quota()));
			row.put("key", rule.key().parts().stream().map(Object::toString).collect(Collectors.joining(", ")));
			row.put("mode", EnumNames.of(rule.reaction().mode()));
			row.put("enforce", rule.reaction().ramp().toString());
			row.put("locked", rule.locked());
			row.put("origin",
					rule.origin().layers().stream().map(LiveRuleRow::origin).collect(Collectors.joining(", ")));
			row.put("owner", owner);
			return row;
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

}
