package dev.ratelimit.live;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import javax.net.ssl.SSLContext;

/**
 * The addresses of etcd, and the settings of the connection. Immutable.
 *
 * @param endpoints the addresses of the members, such as {@code https://etcd-1:2379}
 * @param prefix the prefix of the keys
 * @param user the user to authenticate as; empty for none
 * @param ssl the certificates; empty for those of the JVM
 */
record EtcdSettings(List<URI> endpoints, String prefix, Optional<User> user, Optional<SSLContext> ssl) {

	private static final String LOOPBACK = "localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1]";

	EtcdSettings {
		endpoints = List.copyOf(endpoints);
		require(!endpoints.isEmpty(), "there is no endpoint");
		for (URI endpoint : endpoints) {
			boolean complete = Set.of("http", "https").contains(String.valueOf(endpoint.getScheme()))
					&& endpoint.getHost() != null && endpoint.getUserInfo() == null;
			require(complete, "an endpoint must be like https://etcd-1:2379, without a user");
			require(user.isEmpty() || isPrivate(endpoint),
					"the password would be sent unencrypted to " + endpoint.getHost());
		}
		require(!prefix.isEmpty(), "the prefix is empty");
	}

	private static boolean isPrivate(URI endpoint) {
		return endpoint.getScheme().equals("https") || endpoint.getHost().matches(LOOPBACK);
	}

	private static void require(boolean condition, String reason) {
		if (!condition) {
			throw new IllegalArgumentException(reason);
		}
	}

	/**
	 * A user of etcd. Immutable.
	 *
	 * @param name the name
	 * @param password the password
	 */
	record User(String name, String password) {

		// Omits the password.
		@Override
		public String toString() {
			return this.name;
		}

	}

}
