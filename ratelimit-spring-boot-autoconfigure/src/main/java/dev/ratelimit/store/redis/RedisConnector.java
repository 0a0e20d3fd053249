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

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The one connection for decisions, on a client of our own: built from the application's
 * configuration, with options that suit calls which nobody waits for long. Commands are
 * rejected while disconnected, none is ever sent again after a reconnect, and the
 * reconnect is tried often. On a cluster it is one connection per node, and each command
 * goes to the node of its first key. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisConnector implements AutoCloseable {

	private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofMillis(500);

	/** Longer than anybody waits for an answer. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	private final ClientResources resources;

	private final boolean ownsEventLoops;

	private final ReplyThreads replyThreads;

	private final LettuceConnectionFactory factory;

	private final Set<StatefulConnection<byte[], byte[]>> replaced = ConcurrentHashMap.newKeySet();

	private volatile @Nullable StatefulConnection<byte[], byte[]> connection;

	/**
	 * A connector to where a factory connects. The factory itself is left alone.
	 * @param application the application's factory, for one server, a Sentinel group or a
	 * cluster
	 */
	public RedisConnector(LettuceConnectionFactory application) {
		LettuceClientConfiguration client = application.getClientConfiguration();
		this.replyThreads = new ReplyThreads(client.getClientResources()
			.map(ClientResources::nettyCustomizer)
			.orElse(DefaultClientResources.DEFAULT_NETTY_CUSTOMIZER));
		this.resources = client.getClientResources()
			.map(ClientResources::mutate)
			.orElseGet(ClientResources::builder)
			.nettyCustomizer(this.replyThreads)
			// Decisions have meters of their own, and their commands come by the
			// thousand.
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.tracing(Tracing.disabled())
			.reconnectDelay(Delay.exponential(Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
			.build();
		this.ownsEventLoops = client.getClientResources().isEmpty();
		LettuceClientConfiguration settings = LettuceSettings.client(application, this.resources);
		RedisClusterConfiguration cluster = application.getClusterConfiguration();
		this.factory = (cluster != null) ? new LettuceConnectionFactory(nodes(cluster), settings)
				: new LettuceConnectionFactory(server(application), settings);
		this.factory.afterPropertiesSet();
		this.factory.start();
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
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		return (client instanceof RedisClusterClient cluster) ? ClusterConnections.open(cluster)
				: ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
	}

	/**
	 * Use another connection from now on, because the one there was does not answer. That
	 * one is closed a little later: other nodes may be answering on it.
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
	void lookAround() {
		if (this.factory.getRequiredNativeClient() instanceof RedisClusterClient cluster) {
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
		return this.factory.isClusterAware();
	}

	@Override
	public void close() {
		StatefulConnection<byte[], byte[]> open = this.connection;
		this.replaced.forEach(this::retire);
		// The client of a cluster would close it twice, and warn of that.
		if (open != null) {
			open.close();
		}
		this.factory.destroy();
		// The application's event loops are its own to close.
		if (this.ownsEventLoops) {
			this.resources.shutdown(0, LettuceSettings.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	// Without the most redirects, for which the factory would build the options again and
	// lose what keeps our scripts from being sent twice: the options have them already.
	private static RedisClusterConfiguration nodes(RedisClusterConfiguration application) {
		RedisClusterConfiguration nodes = new RedisClusterConfiguration();
		nodes.setClusterNodes(application.getClusterNodes());
		nodes.setUsername(application.getUsername());
		nodes.setPassword(application.getPassword());
		return nodes;
	}

	private static RedisConfiguration server(LettuceConnectionFactory application) {
		if (application.getSentinelConfiguration() != null) {
			return application.getSentinelConfiguration();
		}
		return (application.getSocketConfiguration() != null) ? application.getSocketConfiguration()
				: standalone(application);
	}

	// A factory made of a configuration of unknown kind shows where it connects by these
	// getters alone.
	private static RedisConfiguration standalone(LettuceConnectionFactory application) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(application.getHostName(),
				application.getPort());
		server.setDatabase(application.getDatabase());
		server.setPassword(application.getPassword());
		server.setUsername(application.getStandaloneConfiguration().getUsername());
		return server;
	}

}
