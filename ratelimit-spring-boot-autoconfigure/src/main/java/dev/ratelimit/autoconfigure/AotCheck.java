package dev.ratelimit.autoconfigure;

import java.util.stream.Stream;

import dev.ratelimit.live.RuleSource;
import dev.ratelimit.rule.EnumNames;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

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
			throw late("ratelimit.telemetry.top", String.valueOf(top));
		}
	}

	/**
	 * Where there is a limiter: the API and the source of live rules are those of the
	 * processing.
	 * @param properties the properties
	 * @param beans the beans of the application
	 */
	static void requireParts(RateLimitProperties properties, ListableBeanFactory beans) {
		if (AotDetector.useGeneratedArtifacts()) {
			requireApi(properties.api().enabled(), beans);
			requireSource(properties.live().source(), beans);
		}
	}

	private static void requireApi(boolean enabled, ListableBeanFactory beans) {
		// By name: their types need libraries that an application may not have.
		boolean present = beans.containsBean("rateLimitController");
		if (beans.containsBean("requestGate") && enabled != present) {
			throw late("ratelimit.api.enabled", String.valueOf(enabled));
		}
	}

	private static void requireSource(LiveProperties.Source source, ListableBeanFactory beans) {
		boolean found = source == LiveProperties.Source.NONE
				|| beans.getBeanNamesForType(RuleSource.class, true, false).length > 0;
		boolean another = Stream.of(LiveProperties.Source.values())
			.anyMatch((other) -> other != source && has(other, beans));
		if (!found || another) {
			throw late("ratelimit.live.source", EnumNames.of(source));
		}
	}

	// The sources that properties choose, of which there is at most one.
	private static boolean has(LiveProperties.Source source, ListableBeanFactory beans) {
		return beans.containsBean("rateLimit" + StringUtils.capitalize(EnumNames.of(source)) + "RuleSource");
	}

	private static StoreConfigurationException late(String property, String value) {
		return new StoreConfigurationException("'" + property + "' is '" + value + "'" + PROCESSED,
				"Set '" + property + ": " + value + "' for 'process-aot' too.");
	}

}
