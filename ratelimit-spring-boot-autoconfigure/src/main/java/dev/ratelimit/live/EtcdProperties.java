package dev.ratelimit.live;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.SSLContext;

import dev.ratelimit.base.StoreConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * Internal: the connection to etcd, below {@code ratelimit.live.etcd}.
 *
 * @param endpoints Addresses of the members, such as https://etcd-1:2379, for the source
 * etcd.
 * @param prefix Prefix of the keys. Each rule has a key: the prefix, 'rules/', and its
 * id.
 * @param username User to authenticate as.
 * @param password Password of the user. It is sent over TLS or to the own machine only.
 * @param ssl Encryption of the connection.
 */
public record EtcdProperties(@DefaultValue List<String> endpoints, @DefaultValue("/ratelimit/") String prefix,
		@Nullable String username, @Nullable String password, @DefaultValue Ssl ssl) {

	EtcdSettings settings(@Nullable SslBundles bundles) {
		if (this.endpoints.isEmpty()) {
			throw new StoreConfigurationException(
					"'ratelimit.live.source' is 'etcd', but 'ratelimit.live.etcd.endpoints' is not set.",
					"Set it to the addresses of the members, such as https://etcd-1:2379.");
		}
		try {
			return new EtcdSettings(this.endpoints.stream().map((endpoint) -> URI.create(endpoint.trim())).toList(),
					this.prefix, user(), ssl(bundles));
		}
		catch (IllegalArgumentException ex) {
			// The cause is not included, because its message contains the address,
			// possibly with a password.
			throw new StoreConfigurationException("'ratelimit.live.etcd' cannot be used: " + reason(ex) + ".",
					"Set 'ratelimit.live.etcd.endpoints' to addresses such as https://etcd-1:2379. A password requires"
							+ " https, except for localhost.");
		}
	}

	private static String reason(IllegalArgumentException failure) {
		return (failure.getCause() == null) ? String.valueOf(failure.getMessage()) : "an endpoint is not an address";
	}

	private Optional<EtcdSettings.User> user() {
		return Optional.ofNullable(this.username)
			.filter(StringUtils::hasText)
			.map((name) -> new EtcdSettings.User(name, Optional.ofNullable(this.password).orElse("")));
	}

	private Optional<SSLContext> ssl(@Nullable SslBundles bundles) {
		if (!StringUtils.hasText(this.ssl.bundle())) {
			return Optional.empty();
		}
		if (bundles == null) {
			throw new StoreConfigurationException(
					"'ratelimit.live.etcd.ssl.bundle' is set, but SSL bundles are unavailable.",
					"Do not exclude Spring Boot's 'SslAutoConfiguration'.");
		}
		return Optional.of(bundles.getBundle(this.ssl.bundle()).createSslContext());
	}

	/**
	 * Encryption of the connection.
	 *
	 * @param bundle Name of the SSL bundle to use. By default, the trusted certificates
	 * of the JVM.
	 */
	public record Ssl(@Nullable String bundle) {
	}

}
