package dev.ratelimit.autoconfigure;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Internal: the prefix of all keys of this application.
 */
public final class KeyPrefix {

	private KeyPrefix() {
	}

	/**
	 * Return whether the prefix differs from that of other applications.
	 * @param properties the properties
	 * @param environment the environment
	 * @return whether a name or a prefix is set
	 */
	public static boolean isOwn(RateLimitProperties properties, Environment environment) {
		return StringUtils.hasText(properties.redis().keyPrefix())
				|| StringUtils.hasText(environment.getProperty("spring.application.name"));
	}

	public static String of(RateLimitProperties properties, Environment environment) {
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
