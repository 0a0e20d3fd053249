package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.test.redis.RedisRights;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;

/**
 * Connections for tests in other packages, as users with the least rights for live rules.
 */
public final class LiveConnection {

	private LiveConnection() {
	}

	public static RedisConnector to(TestRedis redis) {
		RedisConnector connector = unconnected(redis);
		connector.connect();
		return connector;
	}

	/** A connector that has not connected, as at the start of an instance. */
	public static RedisConnector unconnected(TestRedis redis) {
		return new RedisConnector(RedisConnectionSettings
			.of(withUser(RedisURI.create(redis.host(), redis.port()), RedisRights.LIVE_ON_SERVER)));
	}

	public static RedisConnector to(TestSentinel group) {
		RedisURI.Builder builder = RedisURI.builder().withSentinelMasterId(TestSentinel.NAME);
		addresses(group.addresses()).forEach(builder::withSentinel);
		return connected(RedisConnectionSettings.of(withUser(builder.build(), RedisRights.LIVE_ON_SERVER)));
	}

	public static RedisConnector to(TestCluster cluster) {
		return toCluster(cluster.addresses());
	}

	public static RedisConnector to(TestFailoverCluster cluster) {
		return toCluster(cluster.addresses());
	}

	private static RedisConnector toCluster(String nodes) {
		List<RedisURI> uris = addresses(nodes).map((node) -> withUser(node, RedisRights.LIVE_ON_CLUSTER)).toList();
		return connected(new RedisConnectionSettings(uris, true, ClusterClientOptions.create(), Optional.empty()));
	}

	private static RedisConnector connected(RedisConnectionSettings settings) {
		RedisConnector connector = new RedisConnector(settings);
		connector.connect();
		return connector;
	}

	private static Stream<RedisURI> addresses(String joined) {
		return Stream.of(joined.split(",")).map((node) -> RedisURI.create("redis://" + node));
	}

	private static RedisURI withUser(RedisURI server, RedisRights rights) {
		server.setAuthentication(rights.user(), RedisRights.PASSWORD);
		return server;
	}

}
