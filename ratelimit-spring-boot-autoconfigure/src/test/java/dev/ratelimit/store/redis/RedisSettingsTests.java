package dev.ratelimit.store.redis;

import java.util.Map;

import dev.ratelimit.base.StoreConfigurationException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the mapping of properties to the addresses and settings of Redis.
 */
class RedisSettingsTests {

	private static RedisConnectionSettings read(Map<String, String> properties) {
		RedisProperties bound = new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("",
				RedisProperties.class);
		return new RedisSettings("ratelimit.redis", bound, null).settings();
	}

	private static RedisURI server(Map<String, String> properties) {
		RedisConnectionSettings settings = read(properties);
		assertThat(settings.cluster()).isFalse();
		assertThat(settings.uris()).hasSize(1);
		return settings.uris().get(0);
	}

	private static RedisCredentials credentials(RedisURI uri) {
		return uri.getCredentialsProvider().resolveCredentials().block();
	}

	@Test
	void withoutAnythingItIsTheDefault() {
		RedisURI uri = server(Map.of());
		assertThat(uri.getHost()).isEqualTo("localhost");
		assertThat(uri.getPort()).isEqualTo(6379);
		assertThat(uri.getDatabase()).isZero();
		assertThat(uri.isSsl()).isFalse();
		assertThat(uri.getClientName()).isNull();
		assertThat(credentials(uri).hasPassword()).isFalse();
	}

	@Test
	void aServerHasHostPortDatabaseAndPassword() {
		RedisURI uri = server(Map.of("host", "redis.internal", "port", "6390", "database", "3", "password", "secret"));
		assertThat(uri.getHost()).isEqualTo("redis.internal");
		assertThat(uri.getPort()).isEqualTo(6390);
		assertThat(uri.getDatabase()).isEqualTo(3);
		assertThat(credentials(uri).hasUsername()).isFalse();
		assertThat(credentials(uri).getPassword()).containsExactly("secret".toCharArray());
	}

	@Test
	void aUrlGoesBeforeTheRest() {
		RedisURI uri = server(Map.of("url", "rediss://shop:se%3Acret@redis.internal/2", "host", "elsewhere", "port",
				"1", "username", "nobody", "password", "wrong", "database", "9"));
		assertThat(uri.getHost()).isEqualTo("redis.internal");
		assertThat(uri.getPort()).isEqualTo(6379);
		assertThat(uri.getDatabase()).isEqualTo(2);
		assertThat(uri.isSsl()).isTrue();
		assertThat(credentials(uri).getUsername()).isEqualTo("shop");
		assertThat(credentials(uri).getPassword()).containsExactly("se:cret".toCharArray());
	}

	@Test
	void aUrlMayHoldThePasswordAlone() {
		RedisURI uri = server(Map.of("url", "redis://secret@redis.internal:6390"));
		assertThat(uri.getPort()).isEqualTo(6390);
		assertThat(credentials(uri).hasUsername()).isFalse();
		assertThat(credentials(uri).getPassword()).containsExactly("secret".toCharArray());
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://tell-tale@redis.internal", "redis://:tell-tale@", "redis://tell-tale@host/first",
			"redis://tell tale@host", "tell-tale" })
	void aUrlThatIsNoneIsRejectedWithoutRepeatingIt(String url) {
		assertThatExceptionOfType(StoreConfigurationException.class).isThrownBy(() -> read(Map.of("url", url)))
			.withMessageContaining("'ratelimit.redis.url'")
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.getMessage() + ex.action()).doesNotContain("tell"));
	}

	@Test
	void sentinelsGoBeforeTheRest() {
		RedisURI uri = server(Map.of("sentinel.master", "mymaster", "sentinel.nodes", "one:26379, two:26380",
				"sentinel.username", "asker", "sentinel.password", "hidden", "username", "limiter", "password",
				"secret", "database", "3", "ssl.enabled", "true", "cluster.nodes", "elsewhere:1", "host", "elsewhere"));
		assertThat(uri.getSentinelMasterId()).isEqualTo("mymaster");
		assertThat(uri.getDatabase()).isEqualTo(3);
		assertThat(uri.isSsl()).isTrue();
		assertThat(credentials(uri).getUsername()).isEqualTo("limiter");
		assertThat(uri.getSentinels()).extracting(RedisURI::getHost).containsExactly("one", "two");
		assertThat(uri.getSentinels()).extracting(RedisURI::getPort).containsExactly(26379, 26380);
		assertThat(uri.getSentinels()).allSatisfy((sentinel) -> {
			assertThat(sentinel.isSsl()).isTrue();
			assertThat(credentials(sentinel).getUsername()).isEqualTo("asker");
			assertThat(credentials(sentinel).getPassword()).containsExactly("hidden".toCharArray());
		});
	}

	@Test
	void aClusterHasNodes() {
		RedisConnectionSettings settings = read(Map.of("cluster.nodes", "one:7000,[2001:db8::1]:7001",
				"cluster.max-redirects", "2", "username", "limiter", "password", "secret", "client-name", "shop"));
		assertThat(settings.cluster()).isTrue();
		assertThat(settings.uris()).extracting(RedisURI::getHost).containsExactly("one", "[2001:db8::1]");
		assertThat(settings.uris()).allSatisfy((node) -> {
			assertThat(credentials(node).getUsername()).isEqualTo("limiter");
			assertThat(node.getClientName()).isEqualTo("shop-ratelimit");
		});
		assertThat(((ClusterClientOptions) settings.options()).getMaxRedirects()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "one", "one:", ":6379", "one:many", "one:99999" })
	void aNodeNeedsHostAndPort(String node) {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> read(Map.of("cluster.nodes", node)))
			.withMessageContaining("'ratelimit.redis.cluster.nodes'")
			.withMessageContaining("'" + node + "'");
	}

	@Test
	void sentinelsNeedTheNameOfTheirGroup() {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> read(Map.of("sentinel.nodes", "one:26379")))
			.withMessageContaining("'ratelimit.redis.sentinel.master'");
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> read(Map.of("sentinel.master", "mymaster")))
			.withMessageContaining("'ratelimit.redis.sentinel.nodes'");
	}

	@Test
	void aBundleNeedsBundles() {
		assertThatExceptionOfType(StoreConfigurationException.class)
			.isThrownBy(() -> read(Map.of("ssl.bundle", "redis")))
			.withMessageContaining("'ratelimit.redis.ssl.bundle'");
		assertThat(server(Map.of("ssl.bundle", "redis", "ssl.enabled", "false")).isSsl()).isFalse();
	}

}
