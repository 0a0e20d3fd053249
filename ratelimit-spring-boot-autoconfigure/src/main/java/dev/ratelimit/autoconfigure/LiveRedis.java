package dev.ratelimit.autoconfigure;

import dev.ratelimit.live.redis.RedisLive;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Finds what live rules use in Redis.
 */
final class LiveRedis {

	private LiveRedis() {
	}

	/**
	 * What live rules use in Redis.
	 * @param store the store, which may not be Redis
	 * @return what they use
	 */
	static RedisLive of(ObjectProvider<RedisStore> store) {
		RedisStore redis = store.getIfAvailable();
		if (redis == null) {
			throw new StoreConfigurationException("'ratelimit.live.source' is 'redis', but the store is not Redis.",
					"Configure a connection to Redis, such as 'ratelimit.redis.host', or set 'ratelimit.live.source'"
							+ " to another source.");
		}
		return redis.live();
	}

}
