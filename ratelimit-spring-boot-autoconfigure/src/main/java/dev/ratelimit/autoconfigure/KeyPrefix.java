package dev.ratelimit.autoconfigure;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.core.env.Environment;

/**
 * What all keys of this application start with.
 */
final class KeyPrefix {

	private KeyPrefix() {
	}

	static String of(RateLimitProperties properties, Environment environment) {
		String configured = properties.redis().keyPrefix();
		String prefix = (configured != null && !configured.isBlank()) ? configured
				: "rl:" + environment.getProperty("spring.application.name", "application");
		if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
			throw new InvalidRuleException("ratelimit.redis.key-prefix", prefix,
					"braces would replace the hash tag of the subject", "Choose a prefix without braces.");
		}
		return prefix;
	}

}
