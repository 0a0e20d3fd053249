package dev.ratelimit.api;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.live.RuleText;
import org.jspecify.annotations.Nullable;

/**
 * Translates definitions with the properties of other rate limiters, such as
 * {@code {"key_pattern":"user:{user_id}","algorithm":"token_bucket","rate":100,"window":"1m"}},
 * into properties of {@code ratelimit.rules}.
 */
final class ForeignDefinition {

	private static final String KEY_PATTERN = "key_pattern";

	private static final String RATE = "rate";

	private static final String WINDOW = "window";

	private static final String WINDOW_SECONDS = "windowSeconds";

	private static final String UNIT = "unit";

	private static final String ALGORITHM = "algorithm";

	private static final Map<String, String> UNITS = Map.of("second", "s", "minute", "min", "hour", "h", "day", "d");

	private ForeignDefinition() {
	}

	/**
	 * Read a definition.
	 * @param body the body of a request
	 * @return the definition with properties of {@code ratelimit.rules}
	 * @throws IllegalArgumentException if it is not a definition
	 */
	static Map<String, Object> read(@Nullable String body) {
		Map<String, Object> rule = new LinkedHashMap<>(RuleText.definition((body != null) ? body : ""));
		Object pattern = rule.remove(KEY_PATTERN);
		if (pattern != null) {
			put(rule, "key", key(String.valueOf(pattern)));
		}
		Object rate = rule.remove(RATE);
		String period = period(rule);
		if (rate != null) {
			put(rule, "limit", rate + "/" + period);
		}
		else if (!period.isEmpty()) {
			throw ApiException.badRequest("'" + RATE + "' is missing");
		}
		rule.computeIfPresent(ALGORITHM, (name, value) -> String.valueOf(value).replace('_', '-'));
		return rule;
	}

	private static void put(Map<String, Object> rule, String property, String value) {
		if (rule.put(property, value) != null) {
			throw ApiException.badRequest("'" + property + "' is defined twice");
		}
	}

	// The variable is ignored, because it only names the value of the key.
	private static String key(String pattern) {
		int colon = pattern.indexOf(':');
		return (colon < 0) ? pattern : pattern.substring(0, colon);
	}

	private static String period(Map<String, Object> rule) {
		Object window = rule.remove(WINDOW);
		Object seconds = rule.remove(WINDOW_SECONDS);
		Object unit = rule.remove(UNIT);
		if ((window != null && (seconds != null || unit != null)) || (seconds != null && unit != null)) {
			throw ApiException.badRequest("keep one of '" + WINDOW + "', '" + WINDOW_SECONDS + "', and '" + UNIT + "'");
		}
		if (seconds != null) {
			return seconds + "s";
		}
		return (unit != null) ? unit(String.valueOf(unit)) : (window != null) ? String.valueOf(window) : "";
	}

	private static String unit(String name) {
		String unit = UNITS.get(name);
		if (unit == null) {
			throw ApiException.badRequest("'" + UNIT + "' must be second, minute, hour, or day");
		}
		return unit;
	}

}
