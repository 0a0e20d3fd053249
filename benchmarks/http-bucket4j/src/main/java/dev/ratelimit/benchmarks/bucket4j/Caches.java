package dev.ratelimit.benchmarks.bucket4j;

import java.net.URI;

import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;

import com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider;
import io.lettuce.core.RedisClient;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans that the caches of bucket4j's starter require from the application.
 */
@Configuration(proxyBeanMethods = false)
class Caches {

	private static final String CACHE = "bucket4j.cache-to-use";

	/** The number of Tomcat's threads, so that no thread waits for a connection. */
	private static final int CONNECTIONS = 200;

	@Bean
	@ConditionalOnProperty(name = CACHE, havingValue = "jcache")
	CacheManager cacheManager() {
		CacheManager manager = Caching.getCachingProvider(CaffeineCachingProvider.class.getName()).getCacheManager();
		manager.createCache("buckets", new MutableConfiguration<>());
		return manager;
	}

	@Bean
	@ConditionalOnProperty(name = CACHE, havingValue = "redis-jedis")
	@SuppressWarnings("deprecation")
	JedisPool jedisPool(@Value("${benchmark.redis}") URI redis) {
		JedisPoolConfig config = new JedisPoolConfig();
		config.setMaxTotal(CONNECTIONS);
		config.setMaxIdle(CONNECTIONS);
		return new JedisPool(config, redis.getHost(), redis.getPort());
	}

	@Bean
	@ConditionalOnProperty(name = CACHE, havingValue = "redis-lettuce")
	RedisClient redisClient(@Value("${benchmark.redis}") String redis) {
		return RedisClient.create(redis);
	}

}
