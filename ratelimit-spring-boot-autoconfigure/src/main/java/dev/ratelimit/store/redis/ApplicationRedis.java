package dev.ratelimit.store.redis;

/**
 * Internal: the application's connection to Redis, with any client library.
 */
public interface ApplicationRedis {

	/**
	 * Return the settings to connect to the Redis of the application.
	 * @return the settings
	 */
	RedisConnectionSettings settings();

}
