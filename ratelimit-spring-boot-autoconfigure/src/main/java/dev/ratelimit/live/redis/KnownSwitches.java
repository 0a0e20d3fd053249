package dev.ratelimit.live.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.ratelimit.RuleMode;
import dev.ratelimit.live.Json;
import dev.ratelimit.live.RuleSwitch;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The switches of all instances in the form of their fields. Each field starts with the
 * end of the switch and the number of its last change. Immutable.
 *
 * @param counter the counter of the switches; 0 if no switch was ever set
 * @param texts the fields, by name
 * @param switches the switches of the fields, in the order of their rules
 */
record KnownSwitches(long counter, Map<String, KeptSwitch> texts, List<RuleSwitch> switches) {

	private static final Log logger = LogFactory.getLog(KnownSwitches.class);

	static final KnownSwitches NONE = new KnownSwitches(0, Map.of(), List.of());

	private static final String COUNTER = "count";

	private static final String ALL = "all";

	private static final String RULE = "rule:";

	/**
	 * The text of a switch that was ended early; it is kept until the original end.
	 */
	static final String ENDED = "ended";

	KnownSwitches {
		texts = Map.copyOf(texts);
		switches = List.copyOf(switches);
	}

	static KnownSwitches of(Map<String, String> fields) {
		Map<String, KeptSwitch> texts = new TreeMap<>();
		fields.forEach((name, text) -> {
			if (!name.equals(COUNTER)) {
				kept(name, text).ifPresent((kept) -> texts.put(name, kept));
			}
		});
		return of(counter(fields.getOrDefault(COUNTER, "0")), texts);
	}

	private static long counter(String text) {
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			logger.warn("The counter of the switches in Redis cannot be read", ex);
			return 0;
		}
	}

	/**
	 * Return the switches of an instance whose file does not contain their numbers. Those
	 * in Redis have higher numbers.
	 * @param switches the switches
	 * @return the same switches
	 */
	static KnownSwitches of(List<RuleSwitch> switches) {
		Map<String, KeptSwitch> texts = new TreeMap<>();
		switches.forEach((one) -> texts.put(name(one.rule()),
				new KeptSwitch(one.untilMillis(), 1, text(one.mode(), one.user(), one.note()))));
		return of(0, texts);
	}

	private static KnownSwitches of(long counter, Map<String, KeptSwitch> texts) {
		List<RuleSwitch> switches = new ArrayList<>();
		texts.forEach((name, kept) -> read(name, kept).ifPresent(switches::add));
		return new KnownSwitches(counter, texts, switches);
	}

	/**
	 * Return these switches with one change.
	 * @param name the name of its field
	 * @param changed the field
	 */
	KnownSwitches with(String name, KeptSwitch changed) {
		return with(Map.of(name, changed), 0);
	}

	/**
	 * Return these switches with later changes from another set.
	 * @param others the other set
	 * @param nowMillis the time, in milliseconds; a switch is omitted if it has ended in
	 * both sets
	 */
	KnownSwitches with(KnownSwitches others, long nowMillis) {
		return with(others.texts, nowMillis);
	}

	private KnownSwitches with(Map<String, KeptSwitch> others, long nowMillis) {
		Map<String, KeptSwitch> next = new TreeMap<>(this.texts);
		others.forEach((name, other) -> {
			KeptSwitch own = next.getOrDefault(name, KeptSwitch.NONE);
			// A switch that has ended also replaces an older one that would last longer.
			if (other.number() > own.number() && Math.max(own.untilMillis(), other.untilMillis()) > nowMillis) {
				next.put(name, other);
			}
		});
		return of(this.counter, next);
	}

	/**
	 * Return the field of a switch.
	 * @param name the name of its field
	 * @return the field; {@link KeptSwitch#NONE} if there is none
	 */
	KeptSwitch last(String name) {
		return this.texts.getOrDefault(name, KeptSwitch.NONE);
	}

	/**
	 * Return the switches that have not ended.
	 * @param nowMillis the time
	 * @return the switches, in the order of their rules
	 */
	List<RuleSwitch> at(long nowMillis) {
		return this.switches.stream().filter((set) -> set.untilMillis() > nowMillis).toList();
	}

	/**
	 * Return the fields that restore these switches in Redis.
	 * @return each name, and its field
	 */
	List<String> fields() {
		List<String> fields = new ArrayList<>();
		this.texts.forEach((name, kept) -> {
			fields.add(name);
			fields.add(kept.field());
		});
		return fields;
	}

	static String name(Optional<String> rule) {
		return rule.map((id) -> RULE + id).orElse(ALL);
	}

	static String text(RuleMode mode, String user, String note) {
		Map<String, Object> parts = new LinkedHashMap<>();
		parts.put("mode", mode.name());
		parts.put("user", user);
		parts.put("note", note);
		return Json.write(parts);
	}

	private static Optional<KeptSwitch> kept(String name, String text) {
		try {
			return Optional.of(KeptSwitch.of(text));
		}
		catch (IllegalArgumentException ex) {
			logger.warn("The switch '" + name + "' in Redis cannot be read", ex);
			return Optional.empty();
		}
	}

	private static Optional<RuleSwitch> read(String name, KeptSwitch kept) {
		try {
			if (kept.text().equals(ENDED)) {
				return Optional.empty();
			}
			Map<String, Object> parts = Json.readObject(kept.text());
			return Optional.of(new RuleSwitch(rule(name), RuleMode.valueOf(part(parts, "mode")), kept.untilMillis(),
					part(parts, "user"), part(parts, "note")));
		}
		catch (IllegalArgumentException ex) {
			logger.warn("The switch '" + name + "' in Redis cannot be read", ex);
			return Optional.empty();
		}
	}

	private static Optional<String> rule(String name) {
		if (!name.equals(ALL) && !name.startsWith(RULE)) {
			throw new IllegalArgumentException("its name is not known");
		}
		return (name.equals(ALL)) ? Optional.empty() : Optional.of(name.substring(RULE.length()));
	}

	private static String part(Map<String, Object> parts, String name) {
		return parts.getOrDefault(name, "").toString();
	}

}
