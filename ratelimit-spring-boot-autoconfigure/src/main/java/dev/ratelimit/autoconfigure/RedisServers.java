package dev.ratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.RedisSource;
import dev.ratelimit.store.redis.StoreProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundles;

/**
 * Internal: the connections to the stores below {@code ratelimit.stores}, by name.
 */
public final class RedisServers implements AutoCloseable {

	private final Map<String, RedisConnector> connectors = new LinkedHashMap<>();

	RedisServers(Map<String, StoreProperties> stores, @Nullable SslBundles bundles) {
		stores.forEach((name, store) -> this.connectors.put(name,
				new RedisConnector(name, RedisSource.settings("ratelimit.stores." + name, store, bundles))));
	}

	/**
	 * Return the connections, which are opened on first use.
	 * @return connections by the names of stores, in the order of the properties
	 */
	public Map<String, RedisConnector> connectors() {
		return this.connectors;
	}

	@Override
	public void close() {
		this.connectors.values().forEach(RedisConnector::close);
	}

}
