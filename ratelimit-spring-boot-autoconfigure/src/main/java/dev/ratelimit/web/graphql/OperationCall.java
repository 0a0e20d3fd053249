package dev.ratelimit.web.graphql;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.HandlerKey;

import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.http.server.PathContainer;

/**
 * An operation without its own request at the gate, such as a message over a WebSocket,
 * which has the headers of the handshake.
 */
final class OperationCall implements GateRequest {

	/** An operation that was not sent over the web. */
	static final OperationCall UNKNOWN = new OperationCall("", "", Optional.empty(), Optional.empty(),
			ClientAddress.of(IpAddress.UNKNOWN, ClientAddress.IPV6_PREFIX), false);

	private final String path;

	private final String query;

	private final Optional<WebGraphQlRequest> request;

	private final Optional<Principal> principal;

	private final ClientAddress client;

	private final boolean hasAddressOfItsOwn;

	private OperationCall(String path, String query, Optional<WebGraphQlRequest> request, Optional<Principal> principal,
			ClientAddress client, boolean hasAddressOfItsOwn) {
		this.hasAddressOfItsOwn = hasAddressOfItsOwn;
		this.path = path;
		this.query = query;
		this.request = request;
		this.principal = principal;
		this.client = client;
	}

	/**
	 * A message over a WebSocket.
	 * @param request the message
	 * @param principal the principal of the handshake, if it was authenticated
	 * @param addresses finds the client's address
	 * @param rewritten whether the address that the server reports may come from headers
	 * @return the call; its address is unknown if it may be forged by headers
	 */
	static OperationCall of(WebGraphQlRequest request, Optional<Principal> principal, ClientAddresses addresses,
			boolean rewritten) {
		String query = request.getUri().getQuery();
		ClientAddress client = client(request, addresses, rewritten);
		return new OperationCall(String.valueOf(request.getUri().getPath()), (query != null) ? query : "",
				Optional.of(request), principal, client,
				client.address().isKnown() && !addresses.isProxy(client.address()));
	}

	private static ClientAddress client(WebGraphQlRequest request, ClientAddresses addresses, boolean rewritten) {
		InetSocketAddress remote = request.getRemoteAddress();
		String reported = (remote != null && remote.getAddress() != null) ? remote.getAddress().getHostAddress() : "";
		if (addresses.usesContainer()) {
			return addresses.reported(reported);
		}
		return addresses.find((rewritten) ? IpAddress.UNKNOWN : IpAddress.parse(reported),
				request.getHeaders()::getOrEmpty);
	}

	@Override
	public String method() {
		return "GET";
	}

	@Override
	public String path() {
		return this.path;
	}

	@Override
	public PathContainer parsedPath() {
		return PathContainer.parsePath(this.path);
	}

	@Override
	public String query() {
		return this.query;
	}

	@Override
	public List<String> headers(String name) {
		return this.request.map((present) -> present.getHeaders().getOrEmpty(name)).orElse(List.of());
	}

	@Override
	public String remoteAddress() {
		return this.client.address().toString();
	}

	@Override
	public ClientAddress client() {
		return this.client;
	}

	@Override
	public boolean hasAddressOfItsOwn() {
		return this.hasAddressOfItsOwn;
	}

	@Override
	public Optional<Principal> principal() {
		return this.principal;
	}

	@Override
	public CompletableFuture<Optional<HandlerKey>> findHandler() {
		return CompletableFuture.completedFuture(Optional.empty());
	}

}
