package dev.ratelimit.autoconfigure;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleLayer;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.WrittenRule;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.core.env.Environment;

/**
 * A test slice, such as {@code @WebMvcTest}: a part of an application with the properties
 * of the whole application. Rules of handlers, GraphQL operations, and calls of Envoy
 * that the slice does not load are not mistakes there.
 *
 * @param graphQl whether the slice executes GraphQL operations
 * @param envoy whether the slice receives calls of Envoy
 */
record TestSlice(boolean graphQl, boolean envoy) {

	/** The name of the auto-configuration that only tests import. */
	private static final String TEST_SUPPORT = "dev.ratelimit.testing.RateLimitTestAutoConfiguration";

	private static final Log logger = LogFactory.getLog(TestSlice.class);

	/**
	 * Return the slice that an application is. A slice imports a few auto-configurations,
	 * among them that of tests, and disables all others.
	 * @param environment the properties of the application
	 * @param beans the beans of the application
	 * @return the slice; empty if it is a whole application
	 */
	static Optional<TestSlice> of(Environment environment, ListableBeanFactory beans) {
		boolean whole = environment.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
		return (whole || !beans.containsBean(TEST_SUPPORT)) ? Optional.empty()
				: Optional.of(new TestSlice(beans.containsBean("rateLimitOperationGate"),
						beans.containsBean("rateLimitEnvoyService")));
	}

	/**
	 * Return the rules of properties that can apply in the slice.
	 * @param written the rules of properties
	 * @param defaults the defaults of all rules
	 * @param named the ids that handlers and bean methods of the slice reference
	 * @return the rules that these reference, and whole rules of requests and of code
	 */
	RuleLayer applicable(RuleLayer written, RuleDefinition defaults, Set<String> named) {
		Map<String, WrittenRule> rules = new TreeMap<>(written.rules());
		rules.entrySet()
			.removeIf((entry) -> !named.contains(entry.getKey())
					&& !applies(entry.getValue().definition().over(defaults)));
		Set<String> others = new TreeSet<>(written.rules().keySet());
		others.removeAll(rules.keySet());
		if (!others.isEmpty()) {
			logger.info("This test slice does not use the rate limit rules " + others);
		}
		return new RuleLayer(written.kind(), rules);
	}

	private boolean applies(RuleDefinition rule) {
		return rule.isWhole() && (this.graphQl || rule.options().find(RuleOptions.GRAPHQL).isEmpty())
				&& (this.envoy || rule.options().find(RuleOptions.DESCRIPTOR).isEmpty());
	}

}
