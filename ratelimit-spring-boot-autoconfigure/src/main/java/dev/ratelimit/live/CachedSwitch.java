package dev.ratelimit.live;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RuleMode;

/**
 * A switch as it is kept in the cache file.
 */
final class CachedSwitch {

	private CachedSwitch() {
	}

	static Map<String, Object> write(ActiveSwitch active) {
		RuleSwitch change = active.change();
		Map<String, Object> entry = new LinkedHashMap<>();
		change.rule().ifPresent((rule) -> entry.put("rule", rule));
		entry.put("mode", change.mode().name().toLowerCase(Locale.ROOT));
		entry.put("until", String.valueOf(change.untilMillis()));
		entry.put("user", change.user());
		entry.put("note", change.note());
		entry.put("instance", String.valueOf(active.instanceOnly()));
		return entry;
	}

	static ActiveSwitch read(Object value) {
		if (!(value instanceof Map<?, ?> entry)) {
			throw new IllegalArgumentException("it is not a switch");
		}
		RuleSwitch change = new RuleSwitch(Optional.ofNullable(entry.get("rule")).map(String::valueOf),
				RuleMode.valueOf(text(entry, "mode").toUpperCase(Locale.ROOT)), Long.parseLong(text(entry, "until")),
				text(entry, "user"), text(entry, "note"));
		return new ActiveSwitch(change, Boolean.parseBoolean(text(entry, "instance")));
	}

	private static String text(Map<?, ?> entry, String name) {
		return Optional.ofNullable(entry.get(name)).map(String::valueOf).orElse("");
	}

}
