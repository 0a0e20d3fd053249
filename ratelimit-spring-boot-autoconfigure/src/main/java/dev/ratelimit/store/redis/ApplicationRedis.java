package dev.ratelimit.store.redis;

/**
 * Internal: the application's own connection to Redis, by whatever library.
 */
public interface ApplicationRedis {

	/**
	 * How to connect to where the application connects.
	 * @return the settings
	 */
	RedisConnectionSettings settings();

}
