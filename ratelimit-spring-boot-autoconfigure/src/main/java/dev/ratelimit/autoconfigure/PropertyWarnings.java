package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.ratelimit.rule.MethodNames;

/**
 * Finds values of properties that work and are hardly meant, such as seconds in place of
 * milliseconds.
 */
final class PropertyWarnings {

	private static final Duration LONG_DEADLINE = Duration.ofSeconds(5);

	private static final Duration LONG_INTERVAL = Duration.ofMinutes(1);

	private static final Duration SHORT_INTERVAL = Duration.ofMillis(10);

	private PropertyWarnings() {
	}

	/**
	 * Check the properties.
	 * @param properties the properties
	 * @return warnings, in words
	 */
	static List<String> of(RateLimitProperties properties) {
		List<String> warnings = new ArrayList<>();
		Duration deadline = properties.deadline();
		if (deadline.compareTo(LONG_DEADLINE) > 0) {
			warnings.add(warning("deadline", deadline, "requests may wait this long for Redis"));
		}
		Duration interval = properties.circuit().probeInterval();
		if (interval.compareTo(LONG_INTERVAL) > 0) {
			warnings.add(warning("circuit.probe-interval", interval,
					"rules apply their failure policy until a probe succeeds, and rules with 'failure: closed' send"
							+ " it as Retry-After"));
		}
		if (interval.compareTo(SHORT_INTERVAL) < 0) {
			warnings.add(
					warning("circuit.probe-interval", interval, "each instance calls an unavailable Redis this often"));
		}
		List<String> methods = properties.idempotency().methods();
		MethodNames.check("ratelimit.idempotency.methods",
				methods.stream().map((method) -> method.toUpperCase(Locale.ROOT)).toList(), warnings::add);
		return warnings;
	}

	private static String warning(String name, Duration value, String text) {
		return "ratelimit." + name + " = '" + value + "': " + text;
	}

}
