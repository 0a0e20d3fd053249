package dev.ratelimit.benchmarks.http;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.core.env.PropertySource;

/**
 * The further rules of the application. The property {@code benchmark.rules} defines
 * their number. With {@code benchmark.rules-match=true}, they have the path of the
 * application's own rule. Otherwise, they have paths of an API that is not called.
 */
final class MoreRules {

	private MoreRules() {
	}

	static Map<String, Object> properties(PropertySource<?> arguments) {
		int rules = Integer.parseInt(text(arguments.getProperty("benchmark.rules"), "0"));
		boolean match = Boolean.parseBoolean(text(arguments.getProperty("benchmark.rules-match"), "false"));
		Map<String, Object> properties = new LinkedHashMap<>();
		for (int i = 1; i <= rules; i++) {
			String rule = "ratelimit.rules.more" + i;
			properties.put(rule + ".paths", (match) ? "/hello" : "/api/area%d/resource%d/{id}/**".formatted(i % 20, i));
			properties.put(rule + ".key", "ip");
			properties.put(rule + ".limit", "100000000/min");
		}
		return properties;
	}

	private static String text(@Nullable Object value, String otherwise) {
		return (value != null) ? value.toString() : otherwise;
	}

}
