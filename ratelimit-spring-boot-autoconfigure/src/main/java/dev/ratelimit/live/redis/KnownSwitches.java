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
 * The switches of all instances, as they are kept: a field each, with the time at which
 * it ends before the rest. Immutable.
 *
 * @param counter their counter; 0 if there never were any
 * @param texts the fields, by name
 * @param switches what they say, in the order of their rules
 */
record KnownSwitches(long counter, Map<String, String> texts, List<RuleSwitch> switches) {

	private static final Log logger = LogFactory.getLog(KnownSwitches.class);

	static final KnownSwitches NONE = new KnownSwitches(0, Map.of(), List.of());

	private static final String COUNTER = "count";

	private static final String ALL = "all";

	private static final String RULE = "rule:";

	/**
	 * The text of a switch that was ended: it is kept for as long as it would have
	 * lasted.
	 */
	static final String ENDED = "ended";

	/** Its last digits are random. */
	private static final long CHANGE = 1_000_000;

	KnownSwitches {
		texts = Map.copyOf(texts);
		switches = List.copyOf(switches);
	}

	static KnownSwitches of(Map<String, String> fields) {
		Map<String, String> texts = new TreeMap<>(fields);
		String counter = texts.remove(COUNTER);
		List<RuleSwitch> switches = new ArrayList<>();
		texts.forEach((name, text) -> read(name, text).ifPresent(switches::add));
		return new KnownSwitches((counter != null) ? Long.parseLong(counter) : 0, texts, switches);
	}

	/**
	 * These, with one that has changed.
	 * @param name the name of its field
	 * @param text the field
	 */
	KnownSwitches with(String name, String text) {
		Map<String, String> next = new TreeMap<>(this.texts);
		next.put(name, text);
		next.put(COUNTER, Long.toString(this.counter));
		return of(next);
	}

	/**
	 * Whether Redis has lost some of these.
	 * @param present the counter in Redis
	 * @return whether it has
	 */
	boolean isAfter(long present) {
		return this.counter / CHANGE > present / CHANGE;
	}

	/**
	 * Those that have not ended.
	 * @param nowMillis the time
	 * @return the switches, in the order of their rules
	 */
	List<RuleSwitch> at(long nowMillis) {
		return this.switches.stream().filter((set) -> set.untilMillis() > nowMillis).toList();
	}

	/**
	 * What gives these back to Redis.
	 * @return the arguments
	 */
	String[] arguments() {
		List<String> arguments = new ArrayList<>(List.of(Long.toString(this.counter), "" + this.texts.size()));
		this.texts.forEach((name, text) -> {
			arguments.add(name);
			arguments.add(text);
		});
		return arguments.toArray(String[]::new);
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

	private static Optional<RuleSwitch> read(String name, String text) {
		try {
			Stamped stamped = Stamped.of(text);
			if (stamped.text().equals(ENDED)) {
				return Optional.empty();
			}
			Map<String, Object> parts = Json.readObject(stamped.text());
			return Optional.of(new RuleSwitch(rule(name), RuleMode.valueOf(part(parts, "mode")), stamped.atMillis(),
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
