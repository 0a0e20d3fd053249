package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Optional;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * What our own client takes over from the application's, and what it does otherwise.
 */
final class LettuceSettings {

	static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

	private static final int QUEUE_SIZE = 16_384;

	/** Finds a change that no command met with, such as a node that fell silent. */
	private static final Duration REFRESH_PERIOD = Duration.ofSeconds(10);

	/** At most one refresh in this time, however many commands ask for one. */
	private static final Duration REFRESH_PAUSE = Duration.ofSeconds(1);

	private LettuceSettings() {
	}

	static LettuceClientConfiguration client(LettuceConnectionFactory factory, ClientResources resources) {
		LettuceClientConfiguration application = factory.getClientConfiguration();
		LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.clientOptions(options(factory))
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

	private static ClientOptions options(LettuceConnectionFactory factory) {
		ClientOptions application = factory.getClientConfiguration()
			.getClientOptions()
			.orElseGet(ClientOptions::create);
		RedisClusterConfiguration cluster = factory.getClusterConfiguration();
		ClientOptions.Builder builder = (cluster != null) ? cluster(ClusterClientOptions.builder(application), cluster)
				: application.mutate();
		return builder.autoReconnect(true)
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.replayFilter(LettuceSettings::refuseReplay)
			.requestQueueSize(QUEUE_SIZE)
			.timeoutOptions(TimeoutOptions.create())
			.socketOptions(application.getSocketOptions().mutate().connectTimeout(CONNECT_TIMEOUT).build())
			.build();
	}

	// All triggers of a refresh are on by default. A command is sent on to where a node
	// says, also if that one has joined since the last refresh.
	private static ClusterClientOptions.Builder cluster(ClusterClientOptions.Builder builder,
			RedisClusterConfiguration cluster) {
		ClusterTopologyRefreshOptions application = builder.build().getTopologyRefreshOptions();
		Optional.ofNullable(cluster.getMaxRedirects()).ifPresent(builder::maxRedirects);
		return builder.validateClusterNodeMembership(false)
			.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
				.enablePeriodicRefresh(REFRESH_PERIOD)
				.adaptiveRefreshTriggersTimeout(REFRESH_PAUSE)
				.dynamicRefreshSources(application.useDynamicRefreshSources())
				.build());
	}

	// The client drops what the filter keeps from being sent again without a word:
	// whoever waits for it must be told here.
	private static boolean refuseReplay(@Nullable RedisCommand<?, ?, ?> command) {
		if (command != null) {
			command.completeExceptionally(new RedisConnectionException("the connection was lost"));
		}
		return true;
	}

}
