package dev.ratelimit.store.redis;

import java.time.Duration;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;

/**
 * What our own client takes over from the settings, and what it does otherwise.
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

	// All triggers of a refresh are on by default. A command is sent on to where a node
	// says, also if that one has joined since the last refresh.
	private static RedisClusterClient cluster(RedisConnectionSettings settings, ClientResources resources) {
		ClusterClientOptions.Builder options = (settings.options() instanceof ClusterClientOptions known)
				? known.mutate() : ClusterClientOptions.builder(settings.options());
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
			.replayFilter(LettuceSettings::refuseReplay)
			.requestQueueSize(QUEUE_SIZE)
			.timeoutOptions(TimeoutOptions.create())
			.socketOptions(application.getSocketOptions().mutate().connectTimeout(CONNECT_TIMEOUT).build());
	}

	// The client drops what the filter keeps from being sent again without a word:
	// whoever waits for it must be told here.
	private static boolean refuseReplay(@Nullable RedisCommand<?, ?, ?> command) {
		if (command != null) {
			command.completeExceptionally(new RedisConnectionException("connection lost"));
		}
		return true;
	}

}
