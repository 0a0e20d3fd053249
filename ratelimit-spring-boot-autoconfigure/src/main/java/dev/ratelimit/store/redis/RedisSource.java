package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.base.StoreConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/**
 * Internal: chooses the connection to Redis that the limiter uses: its own, or that of
 * the application.
 */
public final class RedisSource {

	private final RedisProperties own;

	private final @Nullable ApplicationRedis application;

	private final @Nullable SslBundles bundles;

	private final Environment environment;

	public RedisSource(RedisProperties own, @Nullable ApplicationRedis application, @Nullable SslBundles bundles,
			Environment environment) {
		this.own = own;
		this.application = application;
		this.bundles = bundles;
		this.environment = environment;
	}

	/**
	 * Return the connection settings of another store.
	 * @param prefix the prefix of its properties
	 * @param store the properties
	 * @param bundles the SSL bundles; null if there are none
	 * @return the settings
	 */
	public static RedisConnectionSettings settings(String prefix, StoreProperties store, @Nullable SslBundles bundles) {
		return new RedisSettings(prefix, store.connection(), bundles).settings();
	}

	public RedisConnectionSettings settings() {
		boolean named = RedisConnectionProperties.areSet(this.environment, RedisConnectionProperties.OWN);
		boolean elsewhere = this.application != null || isConfiguredForApplication();
		return (named || !elsewhere) ? settings(RedisConnectionProperties.OWN, this.own) : applications();
	}

	private boolean isConfiguredForApplication() {
		return RedisConnectionProperties.areSet(this.environment, RedisConnectionProperties.APPLICATION)
				|| RedisConnectionProperties.isStaticGroup(this.environment);
	}

	private RedisConnectionSettings applications() {
		List<String> ignored = RedisConnectionProperties.details(this.environment, RedisConnectionProperties.OWN)
			.toList();
		if (!ignored.isEmpty()) {
			throw new StoreConfigurationException(
					"'" + ignored.get(0) + "' is set, but the limiter uses the application's connection.",
					"Set 'ratelimit.redis.host' too, or remove the property.");
		}
		return (this.application != null) ? this.application.settings() : unused();
	}

	// Without Spring Data Redis, only the limiter reads these properties.
	private RedisConnectionSettings unused() {
		if (RedisConnectionProperties.isStaticGroup(this.environment)) {
			throw RedisSettings.staticGroup();
		}
		return settings(RedisConnectionProperties.APPLICATION, Binder.get(this.environment)
			.bindOrCreate(RedisConnectionProperties.APPLICATION, RedisProperties.class));
	}

	private RedisConnectionSettings settings(String prefix, RedisProperties properties) {
		return new RedisSettings(prefix, properties, this.bundles).settings();
	}

}
