package dev.ratelimit.autoconfigure;

import dev.ratelimit.store.redis.RedisConnectionSettings;

/**
 * The application's own connection to Redis, by whatever library.
 */
interface ApplicationRedis {

	/**
	 * How to connect to where the application connects.
	 * @return the settings
	 */
	RedisConnectionSettings settings();

}
