package dev.ratelimit.live.edit;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.ratelimit.actuate.LiveAccess;
import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.actuate.RuleTallies;
import dev.ratelimit.actuate.RuleTally;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.engine.Edition;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RequestTally;
import dev.ratelimit.live.ActiveSwitch;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.Switches;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.Origin;
import dev.ratelimit.rule.Rule;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the resource {@code page}, with all data that the live page reads each
 * second. It does not call the store. If the path {@code page/} ends with the digest of
 * the rules that the page already has, the rules are omitted, because there may be
 * thousands.
 *
 * @param instance this instance
 * @param parts the names of all parts of the endpoint
 * @param editions the editions of the rules
 * @param requests counts of requests
 * @param tallies counts of rules
 * @param rows the rules in the form of the page
 * @param store describes the store
 * @param overview describes the source of live rules
 * @param switches the switches
 * @param access the rights of the user
 * @param clock the clock
 */
record LivePageResource(Instance instance, Supplier<List<String>> parts, Editions editions, RequestTally requests,
		RuleTallies tallies, Rows rows, Supplier<Map<String, Object>> store, Supplier<Map<String, Object>> overview,
		Switches switches, LiveAccess access, InstantSource clock) implements LiveResource {

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
		page.put("requests", Map.of("allowed", this.requests.allowed(), "rejected", this.requests.rejected()));
		page.put("tallies", tallied());
		Rows.Shown rows = this.rows.of(this.editions.current(), this.access.namespaces());
		page.put("edition", rows.digest());
		if (!request.path().equals(List.of(rows.digest()))) {
			page.put("rules", rows.rules());
		}
		page.put("switches", this.switches.active().stream().map(this::row).toList());
		return Optional.of(page);
	}

	private static List<String> trouble(Map<String, Object> source) {
		List<String> trouble = new ArrayList<>(2);
		if (source.get("rejected") instanceof String reason) {
			trouble
				.add("The last version of the rules was rejected: " + reason + ". The previous version stays active.");
		}
		if (source.get("trouble") instanceof String reason) {
			trouble.add("The source of the live rules does not respond: " + reason
					+ ". The active rules stay; changes do not arrive.");
		}
		return trouble;
	}

	private Map<String, Object> tallied() {
		Map<String, Object> counts = new LinkedHashMap<>();
		for (RuleTally tally : this.tallies.tallies()) {
			long allowed = tally.allowed();
			long rejected = tally.rejected();
			if (allowed + rejected > 0) {
				counts.put(tally.rule(), List.of(allowed, rejected));
			}
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
	 * The rules of the active edition as lines of the live page. They are created once
	 * for each edition. Thread-safe.
	 */
	static final class Rows {

		private @Nullable Shown shown;

		synchronized Shown of(Edition edition, Namespaces namespaces) {
			Shown last = this.shown;
			if (last == null || last.edition() != edition) {
				Map<String, Object> rules = new TreeMap<>();
				edition.rules().rules().forEach((id, rule) -> rules.put(id, of(rule, namespaces.owner(id).orElse(""))));
				last = new Shown(edition, RuleText.digest(rules), rules);
				this.shown = last;
			}
			return last;
		}

		private static Map<String, Object> of(Rule rule, String owner) {
			Map<String, Object> row = new LinkedHashMap<>();
			row.put("limits", limits(rule.numbers().quota()));
			row.put("key", rule.key().parts().stream().map(Object::toString).collect(Collectors.joining(", ")));
			row.put("mode", EnumNames.of(rule.reaction().mode()));
			row.put("enforce", rule.reaction().ramp().toString());
			row.put("locked", rule.locked());
			row.put("origin", rule.origin().layers().stream().map(Rows::origin).collect(Collectors.joining(", ")));
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

		/**
		 * The lines of one edition.
		 *
		 * @param edition the edition
		 * @param digest the digest of the lines; equal on all instances with the same
		 * lines, because a load balancer may select another instance for each request
		 * @param rules the lines by the id of the rule
		 */
		record Shown(Edition edition, String digest, Map<String, Object> rules) {
		}

	}

}
