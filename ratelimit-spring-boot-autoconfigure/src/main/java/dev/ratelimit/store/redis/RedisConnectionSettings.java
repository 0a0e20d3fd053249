package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;

/**
 * Internal: the addresses of Redis, and the options of connections to it.
 *
 * @param uris the address of one server or of one Sentinel group; for a cluster, the
 * addresses of some of its nodes. Each address has the database, the credentials, and the
 * use of TLS
 * @param cluster whether the addresses are those of a cluster
 * @param options options of the client, such as those for TLS; cluster options for a
 * cluster. The limiter overrides the options that its calls depend on
 * @param resources event loops of the application to share; if empty, the limiter starts
 * its own
 */
public record RedisConnectionSettings(List<RedisURI> uris, boolean cluster, ClientOptions options,
		Optional<ClientResources> resources) {
}
