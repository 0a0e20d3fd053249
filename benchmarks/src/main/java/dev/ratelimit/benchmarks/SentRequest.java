package dev.ratelimit.benchmarks;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.RequestPaths;

import org.springframework.http.server.PathContainer;

/**
 * A request that has only a path and a client.
 *
 * @param path the path
 * @param parsedPath the parsed path; each request parses it again
 */
record SentRequest(String path, PathContainer parsedPath) implements GateRequest {

	private static final ClientAddress CLIENT = ClientAddress.of(IpAddress.parse("192.0.2.1"),
			ClientAddress.IPV6_PREFIX);

	static SentRequest of(String path) {
		return new SentRequest(path, RequestPaths.withinApplication(path, ""));
	}

	@Override
	public String method() {
		return "GET";
	}

	@Override
	public String query() {
		return "";
	}

	@Override
	public List<String> headers(String name) {
		return List.of();
	}

	@Override
	public String remoteAddress() {
		return "192.0.2.1";
	}

	@Override
	public ClientAddress client() {
		return CLIENT;
	}

	@Override
	public Optional<Principal> principal() {
		return Optional.empty();
	}

	@Override
	public CompletableFuture<Optional<HandlerKey>> findHandler() {
		return CompletableFuture.completedFuture(Optional.empty());
	}

}
