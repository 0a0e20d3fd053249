package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The one connection for decisions, on a client of our own: built from the application's
 * configuration, with options that suit calls which nobody waits for long. Commands are
 * rejected while disconnected, none is ever sent again after a reconnect, and the
 * reconnect is tried often. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisConnector implements AutoCloseable {

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofMillis(500);

	private static final int QUEUE_SIZE = 16_384;

	private final ClientResources resources;

	private final boolean ownsEventLoops;

	private final LettuceConnectionFactory factory;

	private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;

	/**
	 * A connector to where a factory connects. The factory itself is left alone.
	 * @param application the application's factory, for one server
	 */
	public RedisConnector(LettuceConnectionFactory application) {
		LettuceClientConfiguration client = application.getClientConfiguration();
		this.resources = client.getClientResources()
			.map(ClientResources::mutate)
			.orElseGet(ClientResources::builder)
			.reconnectDelay(Delay.exponential(Duration.ofMillis(1), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
			.build();
		this.ownsEventLoops = client.getClientResources().isEmpty();
		this.factory = new LettuceConnectionFactory(server(application), client(client, application, this.resources));
		this.factory.afterPropertiesSet();
		this.factory.start();
	}

	/**
	 * Connect, unless connected already. Blocks, for about the connect timeout at most.
	 */
	public synchronized void connect() {
		if (this.connection == null) {
			RedisClient client = (RedisClient) this.factory.getRequiredNativeClient();
			this.connection = client.connect(ByteArrayCodec.INSTANCE);
		}
	}

	@Nullable StatefulRedisConnection<byte[], byte[]> connection() {
		return this.connection;
	}

	@Override
	public void close() {
		this.factory.destroy();
		// The application's event loops are its own to close.
		if (this.ownsEventLoops) {
			this.resources.shutdown(0, CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		}
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

	private static LettuceClientConfiguration client(LettuceClientConfiguration application,
			LettuceConnectionFactory factory, ClientResources resources) {
		LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.clientOptions(options(application.getClientOptions().orElseGet(ClientOptions::create)))
			.commandTimeout(CONNECT_TIMEOUT)
			.shutdownQuietPeriod(Duration.ZERO)
			.shutdownTimeout(CONNECT_TIMEOUT)
			.clientResources(resources);
		application.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
		application.getClientName().map((name) -> name + "-ratelimit").ifPresent(builder::clientName);
		if (factory.isUseSsl()) {
			LettuceClientConfiguration.LettuceSslClientConfigurationBuilder ssl = builder.useSsl();
			ssl.verifyPeer(application.getVerifyMode());
			if (factory.isStartTls()) {
				ssl.startTls();
			}
		}
		return builder.build();
	}

	private static ClientOptions options(ClientOptions application) {
		return application.mutate()
			.autoReconnect(true)
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.replayFilter(RedisConnector::refuseReplay)
			.requestQueueSize(QUEUE_SIZE)
			.timeoutOptions(TimeoutOptions.create())
			.socketOptions(application.getSocketOptions().mutate().connectTimeout(CONNECT_TIMEOUT).build())
			.build();
	}

	// The client drops what the filter keeps from being sent again without a word:
	// whoever
	// waits for it must be told here.
	private static boolean refuseReplay(@Nullable RedisCommand<?, ?, ?> command) {
		if (command != null) {
			command.completeExceptionally(new RedisConnectionException("the connection was lost"));
		}
		return true;
	}

}
