package dev.ratelimit.store.redis;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: redis store. The properties of the connection have the same names as below
 * {@code
 * spring.data.redis}, so that this record can bind both.
 *
 * @param keyPrefix Prefix of all keys, without braces. By default 'rl:' and the
 * application's name.
 * @param hashTag Part of the keys that keeps them in one hash slot of a Redis Cluster.
 * @param clock Clock that buckets use: that of the server, or of each client, for servers
 * that do not allow TIME in scripts.
 * @param url URL of the server, such as redis://user:password@host:6379/0, or rediss://
 * for TLS. Overrides host, port, username, password, and database.
 * @param host Host of the server. By default localhost, if another property or the store
 * requires a connection.
 * @param port Port of the server. By default 6379.
 * @param username User to log in as, on Redis 6 or later.
 * @param password Password to log in with.
 * @param database Number of the database. Not for a Redis Cluster.
 * @param clientName Name of the connection in CLIENT LIST, before '-ratelimit'.
 * @param ssl Encryption of the connection.
 * @param sentinel Sentinels that monitor the servers. Override url, host, and port.
 * @param cluster Nodes of a Redis Cluster. Override url, host, and port.
 */
public record RedisProperties(@Nullable String keyPrefix, @DefaultValue("subject") HashTag hashTag,
		@DefaultValue("server") RedisClock clock, @Nullable String url, @Nullable String host, @Nullable Integer port,
		@Nullable String username, @Nullable String password, @DefaultValue("0") int database,
		@Nullable String clientName, @DefaultValue Ssl ssl, @Nullable Sentinel sentinel, @Nullable Cluster cluster) {

	/**
	 * Encryption of the connection.
	 *
	 * @param enabled Whether to use TLS. By default, whether a bundle is named.
	 * @param bundle Name of the SSL bundle to use. By default, the trusted certificates
	 * of the JVM.
	 */
	public record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {

		boolean required() {
			return (this.enabled != null) ? this.enabled : this.bundle != null;
		}

	}

	/**
	 * Sentinels that monitor the servers.
	 *
	 * @param master Name of the group of servers.
	 * @param nodes Addresses of Sentinels, each as host:port.
	 * @param username User to log in as at the Sentinels.
	 * @param password Password to log in with at the Sentinels.
	 */
	public record Sentinel(@Nullable String master, @DefaultValue List<String> nodes, @Nullable String username,
			@Nullable String password) {
	}

	/**
	 * Nodes of a Redis Cluster.
	 *
	 * @param nodes Addresses of some nodes, each as host:port. One that responds is
	 * enough to find the others.
	 * @param maxRedirects Maximum number of redirections to follow for one command.
	 */
	public record Cluster(@DefaultValue List<String> nodes, @Nullable Integer maxRedirects) {
	}

}
