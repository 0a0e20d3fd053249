package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.store.redis.RedisConnectionProperties;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Rejects properties at startup that were set too late for ahead-of-time processing.
 * Conditions are evaluated during that processing and not again at startup: without this
 * check, such a property would be ignored silently.
 */
final class AotCheck {

	private static final String PROCESSED = " but was not during AOT processing, where it must be set.";

	private static final Bindable<Map<String, Object>> ENTRIES = Bindable.mapOf(String.class, Object.class);

	static final String NO_SOURCE = "none";

	private static final List<String> SOURCES = List.of("redis", "etcd", "file");

	private static final String SOURCE_TYPE = "dev.ratelimit.live.RuleSource";

	private AotCheck() {
	}

	/**
	 * If the store is in memory, fail if a connection to Redis was configured after the
	 * build.
	 * @param properties the properties
	 * @param environment the properties, which may configure a connection
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
	 * If the store is in Redis, fail if a property selects the in-memory store.
	 * @param properties the properties
	 */
	static void requireRedis(RateLimitProperties properties) {
		if (properties.store() == RateLimitProperties.StoreType.MEMORY) {
			throw new StoreConfigurationException("'ratelimit.store' is 'memory'" + PROCESSED,
					"Set 'ratelimit.store: memory' for 'process-aot' too, or remove it.");
		}
	}

	/**
	 * If there is a limiter, fail if a property disables it.
	 * @param properties the properties
	 */
	static void requireEnabled(RateLimitProperties properties) {
		if (!properties.enabled()) {
			throw new StoreConfigurationException("'ratelimit.enabled' is 'false'" + PROCESSED,
					"Set it for 'process-aot' too, or set 'ratelimit.defaults.mode: off', which is read at startup.");
		}
	}

	/**
	 * If there is a limiter, fail if a property that AOT processing has evaluated differs
	 * now: rejected subjects, the API, and the source of live rules. Beans and properties
	 * are looked up by name, because their types need libraries that an application may
	 * not have.
	 * @param environment the properties
	 * @param beans the beans of the application
	 */
	static void requireParts(Environment environment, ListableBeanFactory beans) {
		if (AotDetector.useGeneratedArtifacts()) {
			require("ratelimit.telemetry.top", beans.containsBean("rateLimitRejectedSubjects"), environment);
			require("ratelimit.events.stream.enabled", beans.containsBean("rateLimitEventStream"), environment);
			if (isPresent("io.micrometer.observation.ObservationRegistry")) {
				require("ratelimit.observation.enabled", beans.containsBean("rateLimitObservations"), environment);
			}
			if (beans.containsBean("requestGate")) {
				require("ratelimit.api.enabled", beans.containsBean("rateLimitController"), environment);
				require("ratelimit.load.enabled", beans.containsBean("rateLimitLoadThreads"), environment);
			}
			if (isPresent("org.springframework.http.client.ClientHttpRequestInterceptor")) {
				requireSome("ratelimit.client.quotas", ENTRIES, "rateLimitQuotas", environment, beans);
			}
			if (beans.containsBean("rateLimitRedisStore")) {
				requireSome("ratelimit.stores", ENTRIES, "rateLimitRedisServers", environment, beans);
				requireSome("ratelimit.regions.peers", Bindable.listOf(String.class), "rateLimitRegionBoard",
						environment, beans);
			}
			requireSource(liveSource(environment), beans);
		}
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, AotCheck.class.getClassLoader());
	}

	private static void requireSome(String property, Bindable<?> type, String bean, Environment environment,
			ListableBeanFactory beans) {
		if (!beans.containsBean(bean) && Binder.get(environment).bind(property, type).isBound()) {
			throw new StoreConfigurationException("'" + property + "' is set" + PROCESSED,
					"Set at least one entry of '" + property + "' for 'process-aot' too.");
		}
	}

	private static void require(String property, boolean present, Environment environment) {
		boolean enabled = environment.getProperty(property, Boolean.class, false);
		if (enabled != present) {
			throw late(property, String.valueOf(enabled));
		}
	}

	/**
	 * Return the configured source of live rules.
	 * @param environment the properties
	 * @return its name in lower case; {@link #NO_SOURCE} if there is none
	 */
	static String liveSource(Environment environment) {
		return environment.getProperty("ratelimit.live.source", NO_SOURCE).toLowerCase(Locale.ROOT);
	}

	private static void requireSource(String source, ListableBeanFactory beans) {
		boolean found = source.equals(NO_SOURCE) || hasSource(beans);
		boolean another = SOURCES.stream().anyMatch((other) -> !other.equals(source) && has(other, beans));
		if (!found || another) {
			throw late("ratelimit.live.source", source);
		}
	}

	private static boolean hasSource(ListableBeanFactory beans) {
		return isPresent(SOURCE_TYPE)
				&& beans.getBeanNamesForType(ClassUtils.resolveClassName(SOURCE_TYPE, AotCheck.class.getClassLoader()),
						true, false).length > 0;
	}

	private static boolean has(String source, ListableBeanFactory beans) {
		return beans.containsBean("rateLimit" + StringUtils.capitalize(source) + "RuleSource");
	}

	private static StoreConfigurationException late(String property, String value) {
		return new StoreConfigurationException("'" + property + "' is '" + value + "'" + PROCESSED,
				"Set '" + property + ": " + value + "' for 'process-aot' too.");
	}

}
