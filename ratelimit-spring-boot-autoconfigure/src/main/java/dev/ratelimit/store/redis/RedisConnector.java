package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ConnectionIntent;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.tracing.Tracing;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the connection for decisions, on a separate client with options for calls
 * with short deadlines. While disconnected, commands are rejected. No command is sent
 * again after a reconnect, and reconnects are tried often. On a cluster, there is one
 * connection per node, and each command goes to the node of its first key. Thread-safe.
 */
public final class RedisConnector implements AutoCloseable {

	private static final Duration MAX_RECONNECT_DELAY = Duration.ofMillis(500);

	/** The time after which a replaced connection is closed. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	/** The name of the default store in meters and log lines. */
	private static final String DEFAULT = "redis";

	private final String name;

	private final List<RedisURI> uris;

	private final ClientResources resources;

	private final ReplyThreads replyThreads;

	private final AbstractRedisClient client;

	private final Set<StatefulConnection<byte[], byte[]>> replaced = ConcurrentHashMap.newKeySet();

	private volatile @Nullable StatefulConnection<byte[], byte[]> connection;

	/**
	 * Create a connector. It does not connect yet.
	 * @param settings the addresses of Redis, and the options of connections to it
	 */
	public RedisConnector(RedisConnectionSettings settings) {
		this(DEFAULT, settings);
	}

	/**
	 * Create a connector to a store. It does not connect yet.
	 * @param name the name of the store, in meters and log lines
	 * @param settings the addresses of Redis, and the options of connections to it
	 */
	public RedisConnector(String name, RedisConnectionSettings settings) {
		this.name = name;
		this.uris = settings.uris();
		this.replyThreads = new ReplyThreads(settings.resources()
			.map(ClientResources::nettyCustomizer)
			.orElse(DefaultClientResources.DEFAULT_NETTY_CUSTOMIZER));
		this.resources = settings.resources()
			.map(RedisConnector::sharing)
			.orElseGet(ClientResources::builder)
			.nettyCustomizer(this.replyThreads)
			// Decisions have their own meters, and recording each of many commands takes
			// time.
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.tracing(Tracing.disabled())
			.reconnectDelay(Delay.exponential(Duration.ofMillis(1), MAX_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
			.build();
		this.client = LettuceSettings.client(settings, this.resources);
	}

	// The builder does not close these resources; the application owns them.
	private static ClientResources.Builder sharing(ClientResources application) {
		return application.mutate()
			.eventLoopGroupProvider(application.eventLoopGroupProvider())
			.eventExecutorGroup(application.eventExecutorGroup())
			.timer(application.timer());
	}

	/**
	 * The name of the store.
	 * @return the name, in meters and log lines
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Whether two stores have an address in common, database included.
	 * @param other the connector to the other store
	 * @return whether both use the same Redis
	 */
	public boolean sharesServerWith(RedisConnector other) {
		return !Collections.disjoint(this.uris, other.uris);
	}

	/**
	 * Connect, unless connected already. Blocks, for about the connect timeout at most.
	 * @return the connection
	 */
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
	 * @return an unused connection
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
	 * Replace the current connection, because it does not respond. The replaced
	 * connection is closed after a delay, because other nodes may still respond on it.
	 * @param fresh the new connection
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

	/** Refresh the list of the nodes if there can be several. Does not block. */
	void refreshTopology() {
		if (this.client instanceof RedisClusterClient cluster) {
			cluster.refreshPartitionsAsync();
		}
	}

	/**
	 * Whether the only server has a connection. The nodes of a cluster have connections
	 * of their own, which are created on demand.
	 * @return false if the connection to the only server was lost
	 */
	boolean isConnected() {
		StatefulConnection<byte[], byte[]> current = this.connection;
		return current == null || isCluster() || current.isOpen();
	}

	@Nullable StatefulConnection<byte[], byte[]> connection() {
		return this.connection;
	}

	/**
	 * Run a task after the commands that other threads have sent so far. Other threads
	 * hand their commands to the event loop of the connection, so that only the event
	 * loop can overtake them.
	 * @param task the task, which sends a command
	 */
	void afterWrites(Runnable task) {
		for (EventLoop loop : this.replyThreads.loops()) {
			if (loop.inEventLoop()) {
				loop.execute(task);
				return;
			}
		}
		task.run();
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
		// Close the connection first: the client of a cluster would close it twice and
		// log a warning.
		if (open != null) {
			open.close();
		}
		this.client.shutdown(0, LettuceSettings.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		this.resources.shutdown(0, LettuceSettings.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * Opens the connections to the masters of a cluster in advance. Otherwise the client
	 * opens each connection for its first command, and the request that sends it waits.
	 */
	private static final class ClusterConnections {

		private ClusterConnections() {
		}

		static StatefulConnection<byte[], byte[]> open(RedisClusterClient client) {
			StatefulRedisClusterConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
			CompletableFuture<?>[] masters = connection.getPartitions()
				.stream()
				.filter((node) -> node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.hasNoSlots())
				.map((node) -> open(connection, node.getUri()))
				.toArray(CompletableFuture<?>[]::new);
			// An unavailable master affects only its own slots.
			CompletableFuture.allOf(masters)
				.completeOnTimeout(null, LettuceSettings.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
				.exceptionally((failure) -> null)
				.join();
			return connection;
		}

		// Connect by host and port, because the client finds the connection of a slot by
		// them.
		private static CompletableFuture<?> open(StatefulRedisClusterConnection<byte[], byte[]> connection,
				RedisURI node) {
			return connection.getConnectionAsync(node.getHost(), node.getPort(), ConnectionIntent.WRITE);
		}

	}

	/**
	 * The event loops of the connections to Redis, which read the replies. Also calls the
	 * application's own customizer. Thread-safe.
	 */
	private static final class ReplyThreads implements NettyCustomizer {

		private final NettyCustomizer application;

		private final Set<Channel> open = ConcurrentHashMap.newKeySet();

		private volatile Collection<EventLoop> loops = List.of();

		ReplyThreads(NettyCustomizer application) {
			this.application = application;
		}

		Collection<EventLoop> loops() {
			return this.loops;
		}

		@Override
		public void afterBootstrapInitialized(Bootstrap bootstrap) {
			this.application.afterBootstrapInitialized(bootstrap);
		}

		@Override
		public void afterChannelInitialized(Channel channel) {
			this.application.afterChannelInitialized(channel);
			this.open.add(channel);
			refresh();
			channel.closeFuture().addListener((closed) -> {
				this.open.remove(channel);
				refresh();
			});
		}

		// Compute the loops in advance: connections change rarely, but a waiting thread
		// reads the loops every few milliseconds.
		private synchronized void refresh() {
			this.loops = this.open.stream()
				.filter(Channel::isRegistered)
				.map(Channel::eventLoop)
				.collect(Collectors.toUnmodifiableSet());
		}

	}

	/**
	 * The options of the limiter's client: options from the settings, and fixed options.
	 */
	private static final class LettuceSettings {

		static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

		private static final int QUEUE_SIZE = 16_384;

		/**
		 * The interval of refreshes that find changes which no command reveals, such as a
		 * node that stops responding.
		 */
		private static final Duration REFRESH_PERIOD = Duration.ofSeconds(10);

		/** The minimum time between refreshes that commands request. */
		private static final Duration REFRESH_PAUSE = Duration.ofSeconds(1);

		private LettuceSettings() {
		}

		static AbstractRedisClient client(RedisConnectionSettings settings, ClientResources resources) {
			settings.uris().forEach(LettuceSettings::shortenTimeout);
			return (settings.cluster()) ? cluster(settings, resources) : server(settings, resources);
		}

		private static void shortenTimeout(RedisURI uri) {
			uri.setTimeout(CONNECT_TIMEOUT);
			uri.getSentinels().forEach(LettuceSettings::shortenTimeout);
		}

		private static RedisClient server(RedisConnectionSettings settings, ClientResources resources) {
			RedisClient client = RedisClient.create(resources, settings.uris().get(0));
			client.setOptions(decisive(settings.options().mutate(), settings.options()).build());
			return client;
		}

		// All triggers of a refresh are enabled by default. A command follows a
		// redirection even to a node that has joined since the last refresh.
		private static RedisClusterClient cluster(RedisConnectionSettings settings, ClientResources resources) {
			ClusterClientOptions.Builder options = (settings.options() instanceof ClusterClientOptions cluster)
					? cluster.mutate() : ClusterClientOptions.builder(settings.options());
			ClusterTopologyRefreshOptions refresh = options.build().getTopologyRefreshOptions();
			options.validateClusterNodeMembership(false)
				.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
					.enablePeriodicRefresh(REFRESH_PERIOD)
					.adaptiveRefreshTriggersTimeout(REFRESH_PAUSE)
					.dynamicRefreshSources(refresh.useDynamicRefreshSources())
					.build());
			decisive(options, settings.options());
			RedisClusterClient client = RedisClusterClient.create(resources, settings.uris());
			client.setOptions(options.build());
			return client;
		}

		private static ClientOptions.Builder decisive(ClientOptions.Builder builder, ClientOptions application) {
			return builder.autoReconnect(true)
				.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
				.replayFilter(LettuceSettings::rejectReplay)
				.requestQueueSize(QUEUE_SIZE)
				.timeoutOptions(TimeoutOptions.create())
				.socketOptions(application.getSocketOptions().mutate().connectTimeout(CONNECT_TIMEOUT).build());
		}

		// The client drops a command that this filter rejects without completing it, so
		// the waiting request must be notified here.
		private static boolean rejectReplay(@Nullable RedisCommand<?, ?, ?> command) {
			if (command != null) {
				command.completeExceptionally(new RedisConnectionException("connection lost"));
			}
			return true;
		}

	}

}
