package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ConnectionIntent;

/**
 * Opens the connections to the masters of a cluster. The client would open each when the
 * first command needs it, and that command's caller would wait.
 */
final class ClusterConnections {

	private ClusterConnections() {
	}

	static StatefulConnection<byte[], byte[]> open(RedisClusterClient client) {
		StatefulRedisClusterConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
		CompletableFuture<?>[] masters = connection.getPartitions()
			.stream()
			.filter((node) -> node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.hasNoSlots())
			.map((node) -> open(connection, node.getUri()))
			.toArray(CompletableFuture<?>[]::new);
		// A master that is away costs its own slots alone.
		CompletableFuture.allOf(masters)
			.completeOnTimeout(null, LettuceSettings.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionally((failure) -> null)
			.join();
		return connection;
	}

	// By host and port, as the client looks for the connection of a slot.
	private static CompletableFuture<?> open(StatefulRedisClusterConnection<byte[], byte[]> connection, RedisURI node) {
		return connection.getConnectionAsync(node.getHost(), node.getPort(), ConnectionIntent.WRITE);
	}

}
