package dev.ratelimit.store.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: another store in Redis, below {@code ratelimit.stores.<name>}.
 *
 * @param url URL of the server, such as redis://user:password@host:6379/0, or rediss://
 * for TLS. Overrides host, port, username, password, and database.
 * @param host Host of the server.
 * @param port Port of the server. By default 6379.
 * @param username User to log in as, on Redis 6 or later.
 * @param password Password to log in with.
 * @param database Number of the database. Not for a Redis Cluster.
 * @param clientName Name of the connection in CLIENT LIST, before '-ratelimit'.
 * @param ssl Encryption of the connection.
 * @param sentinel Sentinels that monitor the servers. Override url, host, and port.
 * @param cluster Nodes of a Redis Cluster. Override url, host, and port.
 * @param deadline Maximum time a request waits for this store, from 1ms to 1h. By
 * default, ratelimit.deadline.
 */
public record StoreProperties(@Nullable String url, @Nullable String host, @Nullable Integer port,
		@Nullable String username, @Nullable String password, @DefaultValue("0") int database,
		@Nullable String clientName, @DefaultValue RedisProperties.Ssl ssl, RedisProperties.@Nullable Sentinel sentinel,
		RedisProperties.@Nullable Cluster cluster, @Nullable Duration deadline) {

	/**
	 * Whether the properties contain an address of the store.
	 * @return whether a property with an address is set
	 */
	public boolean isPlaced() {
		return this.url != null || this.host != null || this.sentinel != null || this.cluster != null;
	}

	// Key prefix, hash tag, and clock are those of all stores.
	RedisProperties connection() {
		return new RedisProperties(null, HashTag.SUBJECT, RedisClock.SERVER, this.url, this.host, this.port,
				this.username, this.password, this.database, this.clientName, this.ssl, this.sentinel, this.cluster);
	}

}
