package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.base.StoreConfigurationException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * The connection to Redis of an application that uses Spring Data Redis.
 */
final class SpringDataRedis implements ApplicationRedis {

	private final ObjectProvider<RedisConnectionFactory> factories;

	private final ObjectProvider<DataRedisConnectionDetails> details;

	SpringDataRedis(ObjectProvider<RedisConnectionFactory> factories,
			ObjectProvider<DataRedisConnectionDetails> details) {
		this.factories = factories;
		this.details = details;
	}

	@Override
	public RedisConnectionSettings settings() {
		RedisConnectionFactory factory = this.factories.getIfUnique();
		if (factory == null) {
			throw new StoreConfigurationException("The application has more than one connection to Redis.",
					"Annotate the one to use with @Primary, or set 'ratelimit.redis.host' to configure a separate"
							+ " connection for the limiter.");
		}
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			throw new StoreConfigurationException(
					"Connection factories of type " + factory.getClass().getSimpleName() + " are not supported.",
					"Set 'ratelimit.redis.host' to configure a separate connection for the limiter, or set"
							+ " 'ratelimit.store: memory'.");
		}
		if (this.details.stream().anyMatch((connection) -> connection.getMasterReplica() != null)) {
			throw RedisSettings.staticGroup();
		}
		return LettuceFactorySettings.of(lettuce);
	}

	/**
	 * Reads the addresses and the options of a connection factory of Spring Data. The
	 * factory is not changed.
	 */
	static final class LettuceFactorySettings {

		private final LettuceConnectionFactory factory;

		private final LettuceClientConfiguration client;

		private LettuceFactorySettings(LettuceConnectionFactory factory) {
			this.factory = factory;
			this.client = factory.getClientConfiguration();
		}

		static RedisConnectionSettings of(LettuceConnectionFactory factory) {
			return new LettuceFactorySettings(factory).settings();
		}

		private RedisConnectionSettings settings() {
			ClientOptions options = this.client.getClientOptions().orElseGet(ClientOptions::create);
			RedisClusterConfiguration cluster = this.factory.getClusterConfiguration();
			return (cluster != null)
					? new RedisConnectionSettings(nodes(cluster), true, options(cluster, options),
							this.client.getClientResources())
					: new RedisConnectionSettings(List.of(server()), false, options, this.client.getClientResources());
		}

		private List<RedisURI> nodes(RedisClusterConfiguration cluster) {
			return cluster.getClusterNodes().stream().map((node) -> node(node, cluster)).toList();
		}

		private RedisURI node(RedisNode node, RedisClusterConfiguration cluster) {
			return withAccess(RedisURI.create(node.getRequiredHost(), node.getRequiredPort()), cluster);
		}

		private static ClientOptions options(RedisClusterConfiguration cluster, ClientOptions application) {
			ClusterClientOptions.Builder options = (application instanceof ClusterClientOptions clustered)
					? clustered.mutate() : ClusterClientOptions.builder(application);
			Optional.ofNullable(cluster.getMaxRedirects()).ifPresent(options::maxRedirects);
			return options.build();
		}

		private RedisURI server() {
			RedisSentinelConfiguration sentinel = this.factory.getSentinelConfiguration();
			if (sentinel != null) {
				return sentinel(sentinel);
			}
			RedisSocketConfiguration socket = this.factory.getSocketConfiguration();
			RedisURI uri = (socket != null) ? withAccess(RedisURI.Builder.socket(socket.getSocket()).build(), socket)
					: standalone();
			uri.setDatabase(this.factory.getDatabase());
			return uri;
		}

		private RedisURI sentinel(RedisSentinelConfiguration group) {
			RedisURI uri = LettuceConverters.sentinelConfigurationToRedisURI(group);
			withTls(uri);
			uri.setDatabase(this.factory.getDatabase());
			uri.getSentinels().forEach(this::withTls);
			this.client.getRedisCredentialsProviderFactory().ifPresent((providers) -> {
				applyCredentials(providers, uri, group);
				uri.getSentinels()
					.forEach((sentinel) -> sentinel
						.setCredentialsProvider(providers.createSentinelCredentialsProvider(group)));
			});
			return uri;
		}

		// A factory with a configuration of an unknown type returns its address only from
		// these getters.
		private RedisURI standalone() {
			RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(this.factory.getHostName(),
					this.factory.getPort());
			server.setDatabase(this.factory.getDatabase());
			server.setPassword(this.factory.getPassword());
			server.setUsername(this.factory.getStandaloneConfiguration().getUsername());
			return withAccess(RedisURI.create(server.getHostName(), server.getPort()), server);
		}

		private <C extends RedisConfiguration & RedisConfiguration.WithAuthentication> RedisURI withAccess(RedisURI uri,
				C server) {
			withTls(uri);
			RedisSettings.authenticate(uri, server.getUsername(),
					server.getPassword().toOptional().map(String::new).orElse(null));
			this.client.getRedisCredentialsProviderFactory()
				.ifPresent((providers) -> applyCredentials(providers, uri, server));
			return uri;
		}

		private static void applyCredentials(RedisCredentialsProviderFactory providers, RedisURI uri,
				RedisConfiguration server) {
			Optional.ofNullable(providers.createCredentialsProvider(server)).ifPresent(uri::setCredentialsProvider);
		}

		private void withTls(RedisURI uri) {
			uri.setSsl(this.client.isUseSsl());
			uri.setVerifyPeer(this.client.getVerifyMode());
			uri.setStartTls(this.client.isStartTls());
			this.client.getClientName().map(RedisSettings::clientName).ifPresent(uri::setClientName);
		}

	}

}
