package dev.ratelimit.autoconfigure;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleLayer;
import dev.ratelimit.rule.WrittenRule;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.core.env.Environment;

/**
 * A test slice, such as {@code @WebMvcTest}: a part of an application with the properties
 * of the whole application. Rules of handlers, GraphQL operations, and calls of Envoy
 * that the slice does not load are not mistakes there.
 */
final class TestSlice {

	private static final Log logger = LogFactory.getLog(TestSlice.class);

	private TestSlice() {
	}

	/**
	 * Return whether the application is a slice. A slice imports a few
	 * auto-configurations and disables all others.
	 * @param environment the environment of the application
	 * @return whether it is a slice
	 */
	static boolean is(Environment environment) {
		return !environment.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
	}

	/**
	 * Return the rules of properties that can apply in a slice.
	 * @param written the rules of properties
	 * @param named the ids that handlers and bean methods of the slice reference
	 * @return the rules that these reference, that have paths, or that only code uses
	 */
	static RuleLayer applicable(RuleLayer written, Set<String> named) {
		Map<String, WrittenRule> rules = new TreeMap<>(written.rules());
		rules.entrySet().removeIf((entry) -> {
			Rule.Match match = entry.getValue().definition().match();
			return !named.contains(entry.getKey()) && match.paths().isEmpty() && !match.programmatic();
		});
		Set<String> others = new TreeSet<>(written.rules().keySet());
		others.removeAll(rules.keySet());
		if (!others.isEmpty()) {
			logger.info("This test slice does not use the rate limit rules " + others);
		}
		return new RuleLayer(written.kind(), rules);
	}

}
