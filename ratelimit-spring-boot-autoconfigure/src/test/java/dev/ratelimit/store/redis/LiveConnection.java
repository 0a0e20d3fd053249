package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.test.redis.RedisRights;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import org.awaitility.Awaitility;

/**
 * Creates connections for tests in other packages, as users with the least permissions
 * for live rules.
 */
public final class LiveConnection {

	private LiveConnection() {
	}

	/** Return settings for one server or one Sentinel group, with default options. */
	public static RedisConnectionSettings settings(RedisURI uri) {
		return new RedisConnectionSettings(List.of(uri), false, ClientOptions.create(), Optional.empty());
	}

	/** Connect, unless connected already. */
	public static void connect(RedisConnector connector) {
		connector.connected();
	}

	public static RedisConnector to(TestRedis redis) {
		return connected(unconnected(redis));
	}

	/** Return a connector without a connection, as at the start of an instance. */
	public static RedisConnector unconnected(TestRedis redis) {
		return new RedisConnector(
				settings(withUser(RedisURI.create(redis.host(), redis.port()), RedisRights.LIVE_ON_SERVER)));
	}

	public static RedisConnector to(TestSentinel group) {
		RedisURI.Builder builder = RedisURI.builder().withSentinelMasterId(TestSentinel.NAME);
		addresses(group.addresses()).forEach(builder::withSentinel);
		return connected(new RedisConnector(settings(withUser(builder.build(), RedisRights.LIVE_ON_SERVER))));
	}

	public static RedisConnector to(TestCluster cluster) {
		return toCluster(cluster.addresses());
	}

	public static RedisConnector to(TestFailoverCluster cluster) {
		return toCluster(cluster.addresses());
	}

	private static RedisConnector toCluster(String nodes) {
		List<RedisURI> uris = addresses(nodes).map((node) -> withUser(node, RedisRights.LIVE_ON_CLUSTER)).toList();
		return connected(new RedisConnector(
				new RedisConnectionSettings(uris, true, ClusterClientOptions.create(), Optional.empty())));
	}

	// The first connections of a JVM load the classes of the client. On a busy machine,
	// this takes longer than the connection timeout of one second.
	private static RedisConnector connected(RedisConnector connector) {
		Awaitility.await().ignoreExceptionsInstanceOf(RedisException.class).until(() -> {
			connect(connector);
			connector.openBriefly().close();
			return true;
		});
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
