package dev.ratelimit.autoconfigure;

import java.util.function.BooleanSupplier;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;

import org.springframework.core.env.Environment;

/**
 * Rejects rules with descriptors if the application does not receive calls of Envoy, and
 * rejects applications that are configured to receive them but cannot.
 *
 * @param enabled whether the application is configured to receive calls of Envoy
 * @param supported whether the application can receive calls of Envoy
 */
record DescriptorChecks(boolean enabled, BooleanSupplier supported) {

	private static final String ENABLED = "ratelimit.envoy.enabled";

	static boolean enabled(Environment environment) {
		return environment.getProperty(ENABLED, Boolean.class, false);
	}

	void check(RuleSet set) {
		if (this.enabled && !this.supported.getAsBoolean()) {
			throw new InvalidRuleException(ENABLED, "true", "this application cannot receive calls of Envoy",
					"Use Spring Boot 4.1, add 'spring-boot-starter-grpc-server', and do not exclude"
							+ " 'RateLimitEnvoyAutoConfiguration'.");
		}
		if (!this.enabled) {
			set.rules().values().forEach(this::requireNoDescriptor);
		}
	}

	private void requireNoDescriptor(Rule rule) {
		rule.descriptor().ifPresent((descriptor) -> {
			throw new InvalidRuleException(rule.location() + ".descriptor", descriptor.toString(),
					"no front evaluates 'descriptor'", "Set '" + ENABLED + "' to true.");
		});
	}

}
