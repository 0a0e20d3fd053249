package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the settings that the limiter copies from the connection factory of an
 * application.
 */
class LettuceFactorySettingsTests {

	private final AtomicReference<String> password = new AtomicReference<>("first");

	private static LettuceClientConfiguration plain() {
		return LettuceClientConfiguration.defaultConfiguration();
	}

	private static RedisURI server(LettuceConnectionFactory factory) {
		RedisConnectionSettings settings = SpringDataRedis.LettuceFactorySettings.of(factory);
		assertThat(settings.cluster()).isFalse();
		return settings.uris().get(0);
	}

	private static RedisCredentials credentials(RedisURI uri) {
		return uri.getCredentialsProvider().resolveCredentials().block();
	}

	private LettuceClientConfiguration rotating() {
		return LettuceClientConfiguration.builder()
			.redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {

				@Override
				public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
					return RedisCredentialsProvider
						.from(() -> RedisCredentials.just("rotating", LettuceFactorySettingsTests.this.password.get()));
				}

				@Override
				public RedisCredentialsProvider createSentinelCredentialsProvider(RedisSentinelConfiguration group) {
					return RedisCredentialsProvider.from(() -> RedisCredentials.just("asker", "hidden"));
				}

			})
			.build();
	}

	@Test
	void oneServer() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("redis.internal", 6390);
		server.setDatabase(3);
		server.setUsername("limiter");
		server.setPassword("secret");
		RedisURI uri = server(new LettuceConnectionFactory(server, plain()));
		assertThat(uri.getHost()).isEqualTo("redis.internal");
		assertThat(uri.getPort()).isEqualTo(6390);
		assertThat(uri.getDatabase()).isEqualTo(3);
		assertThat(credentials(uri).getUsername()).isEqualTo("limiter");
		assertThat(credentials(uri).getPassword()).containsExactly("secret".toCharArray());
		assertThat(uri.isSsl()).isFalse();
	}

	@Test
	void aSocket() {
		RedisSocketConfiguration socket = new RedisSocketConfiguration("/run/redis.sock");
		socket.setDatabase(3);
		RedisURI uri = server(new LettuceConnectionFactory(socket, plain()));
		assertThat(uri.getSocket()).isEqualTo("/run/redis.sock");
		assertThat(uri.getDatabase()).isEqualTo(3);
	}

	@Test
	void sentinels() {
		RedisSentinelConfiguration group = new RedisSentinelConfiguration("mymaster", Set.of("one:26379"));
		group.setDatabase(3);
		group.setPassword("secret");
		group.setSentinelUsername("asker");
		group.setSentinelPassword("hidden");
		RedisURI uri = server(
				new LettuceConnectionFactory(group, LettuceClientConfiguration.builder().useSsl().build()));
		assertThat(uri.getSentinelMasterId()).isEqualTo("mymaster");
		assertThat(uri.getDatabase()).isEqualTo(3);
		assertThat(credentials(uri).getPassword()).containsExactly("secret".toCharArray());
		assertThat(uri.getSentinels()).singleElement().satisfies((sentinel) -> {
			assertThat(sentinel.getHost()).isEqualTo("one");
			assertThat(sentinel.isSsl()).isTrue();
			assertThat(credentials(sentinel).getUsername()).isEqualTo("asker");
		});
	}

	@Test
	void aCluster() {
		RedisClusterConfiguration cluster = new RedisClusterConfiguration(List.of("one:7000", "two:7001"));
		cluster.setMaxRedirects(3);
		cluster.setUsername("limiter");
		cluster.setPassword("secret");
		RedisConnectionSettings settings = SpringDataRedis.LettuceFactorySettings
			.of(new LettuceConnectionFactory(cluster,
					LettuceClientConfiguration.builder()
						.clientOptions(ClusterClientOptions.builder().maxRedirects(9).build())
						.build()));
		assertThat(settings.cluster()).isTrue();
		assertThat(settings.uris()).extracting(RedisURI::getHost).containsExactlyInAnyOrder("one", "two");
		assertThat(settings.uris())
			.allSatisfy((node) -> assertThat(credentials(node).getUsername()).isEqualTo("limiter"));
		assertThat(((ClusterClientOptions) settings.options()).getMaxRedirects()).isEqualTo(3);
	}

	@Test
	void tlsAndTheNameOfTheClient() {
		RedisURI uri = server(new LettuceConnectionFactory(new RedisStandaloneConfiguration(),
				LettuceClientConfiguration.builder()
					.clientName("shop")
					.useSsl()
					.verifyPeer(SslVerifyMode.CA)
					.startTls()
					.build()));
		assertThat(uri.isSsl()).isTrue();
		assertThat(uri.isStartTls()).isTrue();
		assertThat(uri.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
		assertThat(uri.getClientName()).isEqualTo("shop-ratelimit");
	}

	@Test
	void optionsAndEventLoops() {
		ClientResources resources = ClientResources.create();
		ClientOptions options = ClientOptions.builder().publishOnScheduler(true).build();
		RedisConnectionSettings settings = SpringDataRedis.LettuceFactorySettings
			.of(new LettuceConnectionFactory(new RedisStandaloneConfiguration(),
					LettuceClientConfiguration.builder().clientOptions(options).clientResources(resources).build()));
		assertThat(settings.options()).isSameAs(options);
		assertThat(settings.resources()).containsSame(resources);
		resources.shutdown();
	}

	@Test
	void credentialsThatChange() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration();
		server.setPassword("fixed");
		assertRotates(server(new LettuceConnectionFactory(server, rotating())));
		RedisSentinelConfiguration group = new RedisSentinelConfiguration("mymaster", Set.of("one:26379"));
		RedisURI uri = server(new LettuceConnectionFactory(group, rotating()));
		assertRotates(uri);
		assertThat(credentials(uri.getSentinels().get(0)).getUsername()).isEqualTo("asker");
		assertRotates(SpringDataRedis.LettuceFactorySettings
			.of(new LettuceConnectionFactory(new RedisClusterConfiguration(List.of("one:7000")), rotating()))
			.uris()
			.get(0));
	}

	private void assertRotates(RedisURI uri) {
		this.password.set("first");
		assertThat(credentials(uri).getPassword()).containsExactly("first".toCharArray());
		this.password.set("second");
		assertThat(credentials(uri).getPassword()).containsExactly("second".toCharArray());
	}

}
