package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.tracing.Tracing;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the one connection for decisions, on a client of our own, with options that
 * suit calls which nobody waits for long. Commands are rejected while disconnected, none
 * is ever sent again after a reconnect, and the reconnect is tried often. On a cluster it
 * is one connection per node, and each command goes to the node of its first key.
 * Thread-safe.
 */
public final class RedisConnector implements AutoCloseable {

	private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofMillis(500);

	/** Longer than anybody waits for a response. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	private final ClientResources resources;

	private final ReplyThreads replyThreads;

	private final AbstractRedisClient client;

	private final Set<StatefulConnection<byte[], byte[]>> replaced = ConcurrentHashMap.newKeySet();

	private volatile @Nullable StatefulConnection<byte[], byte[]> connection;

	/**
	 * A connector. It does not connect yet.
	 * @param settings where Redis is, and how to connect to it
	 */
	public RedisConnector(RedisConnectionSettings settings) {
		this.replyThreads = new ReplyThreads(settings.resources()
			.map(ClientResources::nettyCustomizer)
			.orElse(DefaultClientResources.DEFAULT_NETTY_CUSTOMIZER));
		this.resources = settings.resources()
			.map(RedisConnector::sharing)
			.orElseGet(ClientResources::builder)
			.nettyCustomizer(this.replyThreads)
			// Decisions have meters of their own, and their commands come by the
			// thousand.
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.tracing(Tracing.disabled())
			.reconnectDelay(Delay.exponential(Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
			.build();
		this.client = LettuceSettings.client(settings, this.resources);
	}

	// What is named here stays the application's to close.
	private static ClientResources.Builder sharing(ClientResources application) {
		return application.mutate()
			.eventLoopGroupProvider(application.eventLoopGroupProvider())
			.eventExecutorGroup(application.eventExecutorGroup())
			.timer(application.timer());
	}

	/**
	 * Connect, unless connected already. Blocks, for about the connect timeout at most.
	 */
	public void connect() {
		connected();
	}

	synchronized StatefulConnection<byte[], byte[]> connected() {
		StatefulConnection<byte[], byte[]> present = this.connection;
		if (present == null) {
			present = open();
			this.connection = present;
		}
		return present;
	}

	/**
	 * Open another connection. Blocks, for about the connect timeout at most.
	 * @return a connection that nothing is sent over yet
	 */
	StatefulConnection<byte[], byte[]> open() {
		return (this.client instanceof RedisClusterClient cluster) ? ClusterConnections.open(cluster)
				: ((RedisClient) this.client).connect(ByteArrayCodec.INSTANCE);
	}

	/**
	 * Open a connection for a few commands that are long or rare. Blocks, for about the
	 * connect timeout at most.
	 * @return a connection, which connects to the nodes of a cluster when they are needed
	 */
	StatefulConnection<byte[], byte[]> openBriefly() {
		return (this.client instanceof RedisClusterClient cluster) ? cluster.connect(ByteArrayCodec.INSTANCE)
				: ((RedisClient) this.client).connect(ByteArrayCodec.INSTANCE);
	}

	/**
	 * Use another connection from now on, because the one there was does not respond.
	 * That one is closed a little later: other nodes may be answering on it.
	 * @param fresh the connection
	 */
	synchronized void use(StatefulConnection<byte[], byte[]> fresh) {
		StatefulConnection<byte[], byte[]> old = this.connection;
		this.connection = fresh;
		if (old != null) {
			this.replaced.add(old);
			this.resources.eventExecutorGroup().schedule(() -> retire(old), GRACE.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private void retire(StatefulConnection<byte[], byte[]> old) {
		if (this.replaced.remove(old)) {
			old.closeAsync();
		}
	}

	/** Look again which nodes there are, where there are several. Does not block. */
	void refreshTopology() {
		if (this.client instanceof RedisClusterClient cluster) {
			cluster.refreshPartitionsAsync();
		}
	}

	@Nullable StatefulConnection<byte[], byte[]> connection() {
		return this.connection;
	}

	Collection<? extends Executor> replyThreads() {
		return this.replyThreads.loops();
	}

	boolean isCluster() {
		return this.client instanceof RedisClusterClient;
	}

	@Override
	public void close() {
		StatefulConnection<byte[], byte[]> open = this.connection;
		this.replaced.forEach(this::retire);
		// The client of a cluster would close it twice, and warn of that.
		if (open != null) {
			open.close();
		}
		this.client.shutdown(0, LettuceSettings.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		this.resources.shutdown(0, LettuceSettings.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

}
