package dev.ratelimit.autoconfigure;

import org.springframework.aot.AotDetector;
import org.springframework.core.env.Environment;

/**
 * Refuses to start where properties come too late. Conditions are decided when an
 * application is processed ahead of time, and not again when it starts: what is
 * configured since would be passed over in silence.
 */
final class AotCheck {

	private static final String PROCESSED = " but was not during AOT processing, where it must be set.";

	private AotCheck() {
	}

	/**
	 * Where the store is in memory: no connection to Redis may have turned up.
	 * @param properties the properties
	 * @param environment where a connection may be configured
	 */
	static void requireMemory(RateLimitProperties properties, Environment environment) {
		boolean late = AotDetector.useGeneratedArtifacts() && properties.store() == RateLimitProperties.StoreType.AUTO
				&& RedisConnectionProperties.areSet(environment);
		if (late) {
			throw new StoreConfigurationException("A connection to Redis is configured" + PROCESSED,
					"Configure it for 'process-aot' too, for example 'ratelimit.redis.host' with any host, or set"
							+ " 'ratelimit.store: memory' to limit per instance.");
		}
	}

	/**
	 * Where the store is in Redis: nobody may have said memory.
	 * @param properties the properties
	 */
	static void requireRedis(RateLimitProperties properties) {
		if (properties.store() == RateLimitProperties.StoreType.MEMORY) {
			throw new StoreConfigurationException("'ratelimit.store' is 'memory'" + PROCESSED,
					"Set 'ratelimit.store: memory' for 'process-aot' too, or remove it.");
		}
	}

	/**
	 * Where there is a limiter: nobody may have switched it off.
	 * @param properties the properties
	 */
	static void requireEnabled(RateLimitProperties properties) {
		if (!properties.enabled()) {
			throw new StoreConfigurationException("'ratelimit.enabled' is 'false'" + PROCESSED,
					"Set it for 'process-aot' too, or set 'ratelimit.defaults.mode: off', which is read at startup.");
		}
	}

	/**
	 * Where decisions are followed: the setting may not have changed since.
	 * @param properties the properties
	 * @param present whether rejected subjects are counted
	 */
	static void requireTop(RateLimitProperties properties, boolean present) {
		boolean top = properties.telemetry().top();
		if (AotDetector.useGeneratedArtifacts() && top != present) {
			throw new StoreConfigurationException("'ratelimit.telemetry.top' is '" + top + "'" + PROCESSED,
					"Set 'ratelimit.telemetry.top: " + top + "' for 'process-aot' too.");
		}
	}

}
