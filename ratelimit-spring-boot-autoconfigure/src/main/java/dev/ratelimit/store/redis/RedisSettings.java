package dev.ratelimit.store.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.base.StoreConfigurationException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.cluster.ClusterClientOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * Reads the addresses of Redis and the options of connections from properties. As in
 * Spring Boot, Sentinels take precedence over a cluster, a cluster over a URL, and a URL
 * over a host.
 */
final class RedisSettings {

	private static final String DEFAULT_HOST = "localhost";

	private static final int DEFAULT_PORT = 6379;

	private final String prefix;

	private final RedisProperties properties;

	private final @Nullable SslBundles bundles;

	private final Optional<URI> url;

	RedisSettings(String prefix, RedisProperties properties, @Nullable SslBundles bundles) {
		this.prefix = prefix;
		this.properties = properties;
		this.bundles = bundles;
		this.url = Optional.ofNullable(properties.url()).filter(StringUtils::hasText).map(this::parse);
	}

	RedisConnectionSettings settings() {
		RedisProperties.Sentinel sentinel = this.properties.sentinel();
		RedisProperties.Cluster cluster = (sentinel != null) ? null : this.properties.cluster();
		List<RedisURI> uris = (cluster != null) ? nodes("cluster", cluster.nodes())
				: List.of((sentinel != null) ? sentinel(sentinel) : server());
		uris.forEach(this::withAccess);
		return new RedisConnectionSettings(uris, cluster != null, options(cluster), Optional.empty());
	}

	private RedisURI server() {
		String host = this.url.map(URI::getHost)
			.orElseGet(() -> Optional.ofNullable(this.properties.host()).orElse(DEFAULT_HOST));
		int port = this.url.map((uri) -> (uri.getPort() >= 0) ? uri.getPort() : DEFAULT_PORT)
			.orElseGet(() -> Optional.ofNullable(this.properties.port()).orElse(DEFAULT_PORT));
		return withDatabase(RedisURI.create(host, port));
	}

	private RedisURI sentinel(RedisProperties.Sentinel group) {
		if (!StringUtils.hasText(group.master())) {
			throw new StoreConfigurationException("'" + this.prefix + ".sentinel.master' is not set.",
					"Set it to the name of the master group that the Sentinels monitor.");
		}
		RedisURI.Builder builder = RedisURI.builder().withSentinelMasterId(group.master());
		for (RedisURI sentinel : nodes("sentinel", group.nodes())) {
			withTls(sentinel);
			authenticate(sentinel, group.username(), group.password());
			builder.withSentinel(sentinel);
		}
		return withDatabase(builder.build());
	}

	private RedisURI withDatabase(RedisURI uri) {
		uri.setDatabase(this.url.map(this::database).orElse(this.properties.database()));
		return uri;
	}

	private int database(URI uri) {
		String path = Optional.ofNullable(uri.getPath()).orElse("").replaceFirst("^/", "");
		try {
			return (path.isEmpty()) ? 0 : Integer.parseInt(path);
		}
		catch (NumberFormatException ex) {
			throw invalidUrl();
		}
	}

	private void withAccess(RedisURI uri) {
		withTls(uri);
		String user = this.properties.username();
		String password = this.properties.password();
		if (this.url.isPresent()) {
			String[] parts = Optional.ofNullable(this.url.get().getUserInfo()).orElse("").split(":", 2);
			user = (parts.length == 2) ? parts[0] : null;
			password = parts[parts.length - 1];
		}
		authenticate(uri, user, password);
	}

	// Only methods that the Lettuce version of Spring Boot 4.0 has too.
	static void authenticate(RedisURI uri, @Nullable String user, @Nullable String password) {
		boolean named = StringUtils.hasText(user);
		if (named || StringUtils.hasLength(password)) {
			char[] secret = (password != null) ? password.toCharArray() : new char[0];
			uri.setCredentialsProvider(new StaticCredentialsProvider((named) ? user : null, secret));
		}
	}

	private void withTls(RedisURI uri) {
		uri.setSsl(this.properties.ssl().required() || this.url.filter((given) -> isSecure(given)).isPresent());
		Optional.ofNullable(this.properties.clientName()).map(RedisSettings::clientName).ifPresent(uri::setClientName);
	}

	static String clientName(String application) {
		return application + "-ratelimit";
	}

	private ClientOptions options(RedisProperties.@Nullable Cluster cluster) {
		if (cluster == null) {
			return ClientOptions.builder().sslOptions(ssl()).build();
		}
		ClusterClientOptions.Builder options = ClusterClientOptions.builder();
		options.sslOptions(ssl());
		Optional.ofNullable(cluster.maxRedirects()).ifPresent(options::maxRedirects);
		return options.build();
	}

	private SslOptions ssl() {
		String name = this.properties.ssl().bundle();
		if (!StringUtils.hasLength(name) || !this.properties.ssl().required()) {
			return SslOptions.create();
		}
		if (this.bundles == null) {
			throw new StoreConfigurationException(
					"'" + this.prefix + ".ssl.bundle' is set, but SSL bundles are unavailable.",
					"Do not exclude Spring Boot's 'SslAutoConfiguration'.");
		}
		return ssl(this.bundles.getBundle(name));
	}

	private static SslOptions ssl(SslBundle bundle) {
		SslOptions.Builder options = SslOptions.builder()
			.keyManager(bundle.getManagers().getKeyManagerFactory())
			.trustManager(bundle.getManagers().getTrustManagerFactory());
		Optional.ofNullable(bundle.getOptions().getCiphers()).ifPresent(options::cipherSuites);
		Optional.ofNullable(bundle.getOptions().getEnabledProtocols()).ifPresent(options::protocols);
		return options.build();
	}

	private List<RedisURI> nodes(String kind, List<String> nodes) {
		if (nodes.isEmpty()) {
			throw new StoreConfigurationException("'" + this.prefix + "." + kind + ".nodes' is not set.",
					"Set it to the addresses of one or more nodes, each as host:port.");
		}
		return nodes.stream().map((node) -> node(kind, node.trim())).toList();
	}

	private RedisURI node(String kind, String node) {
		try {
			int colon = node.lastIndexOf(':');
			return RedisURI.create(node.substring(0, colon), Integer.parseInt(node.substring(colon + 1)));
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException ex) {
			throw new StoreConfigurationException(
					"'" + this.prefix + "." + kind + ".nodes' contains '" + node + "', which is not host:port.",
					"Use host:port for each node, such as redis-1:6379.");
		}
	}

	private URI parse(String url) {
		try {
			URI uri = new URI(url);
			if (uri.getHost() != null && ("redis".equals(uri.getScheme()) || isSecure(uri))) {
				return uri;
			}
		}
		catch (URISyntaxException ex) {
			// Do not pass on this exception or its message: a URL may contain a password.
		}
		throw invalidUrl();
	}

	private static boolean isSecure(URI uri) {
		return "rediss".equals(uri.getScheme());
	}

	private StoreConfigurationException invalidUrl() {
		return new StoreConfigurationException("'" + this.prefix + ".url' is not a Redis URL.",
				"Use redis://user:password@host:6379/0, or rediss:// for TLS.");
	}

	static StoreConfigurationException staticGroup() {
		return new StoreConfigurationException("Static master-replica groups are not supported.",
				"Set 'ratelimit.redis' to one server, a Sentinel group, or a Redis Cluster, or set"
						+ " 'ratelimit.store: memory'.");
	}

}
