package dev.ratelimit.web;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.Element;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.util.UriUtils;

/**
 * Internal: a simulated request at the gate. Immutable.
 */
public final class SimulatedRequest implements GateRequest {

	private final ExplainRequest explainRequest;

	private final PathContainer path;

	private final String query;

	private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

	private final Function<SimulatedRequest, CompletableFuture<Optional<HandlerKey>>> handlers;

	private final Function<SimulatedRequest, CompletableFuture<Optional<String>>> routes;

	private final ClientAddress client;

	/**
	 * Create a request.
	 * @param explainRequest the known properties
	 * @param handlers find the handler method that would serve it
	 * @param routes find the pattern of the handler that would serve it
	 * @param addresses finds client addresses
	 */
	public SimulatedRequest(ExplainRequest explainRequest,
			Function<SimulatedRequest, CompletableFuture<Optional<HandlerKey>>> handlers,
			Function<SimulatedRequest, CompletableFuture<Optional<String>>> routes, ClientAddresses addresses) {
		this(explainRequest, pathOf(explainRequest.uri()), handlers, routes,
				addresses.reported(explainRequest.address()));
	}

	private SimulatedRequest(ExplainRequest explainRequest, PathContainer path,
			Function<SimulatedRequest, CompletableFuture<Optional<HandlerKey>>> handlers,
			Function<SimulatedRequest, CompletableFuture<Optional<String>>> routes, ClientAddress client) {
		this.explainRequest = explainRequest;
		this.path = path;
		this.query = queryOf(explainRequest.uri());
		this.headers.putAll(explainRequest.headers());
		this.handlers = handlers;
		this.routes = routes;
		this.client = client;
	}

	private static PathContainer pathOf(String uri) {
		String target = withoutFragment(uri);
		int mark = target.indexOf('?');
		return RequestPaths.withinApplication((mark < 0) ? target : target.substring(0, mark), "");
	}

	private static String queryOf(String uri) {
		String target = withoutFragment(uri);
		int mark = target.indexOf('?');
		return (mark < 0) ? "" : target.substring(mark + 1);
	}

	// Servers that accept a fragment ignore it.
	private static String withoutFragment(String uri) {
		int hash = uri.indexOf('#');
		return (hash < 0) ? uri : uri.substring(0, hash);
	}

	/**
	 * Return the request for servers that normalize paths before they find a handler.
	 * @return the request with the normalized path; empty if its segments are the same
	 */
	public Optional<SimulatedRequest> normalized() {
		PathContainer normalized = normalizedPath();
		if (normalized == null) {
			return Optional.empty();
		}
		StringBuilder encoded = new StringBuilder(normalized.value().length());
		for (Element element : normalized.elements()) {
			encoded.append((element instanceof PathSegment segment)
					? UriUtils.encodePathSegment(segment.valueToMatch(), StandardCharsets.UTF_8) : element.value());
		}
		return Optional.of(new SimulatedRequest(this.explainRequest, PathContainer.parsePath(encoded.toString()),
				this.handlers, this.routes, this.client));
	}

	@Override
	public String method() {
		return this.explainRequest.method();
	}

	@Override
	public String path() {
		return this.path.value();
	}

	@Override
	public PathContainer parsedPath() {
		return this.path;
	}

	@Override
	public String query() {
		return this.query;
	}

	@Override
	public List<String> headers(String name) {
		return this.headers.getOrDefault(name, List.of());
	}

	@Override
	public Collection<String> headerNames() {
		return this.headers.keySet();
	}

	/**
	 * All headers.
	 * @return values by name
	 */
	public Map<String, List<String>> headers() {
		return this.headers;
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
	public Optional<Principal> principal() {
		return this.explainRequest.user().map(Caller::new);
	}

	Optional<String> plan() {
		return this.explainRequest.plan();
	}

	@Override
	public CompletableFuture<Optional<HandlerKey>> findHandler() {
		return find(() -> this.handlers.apply(this));
	}

	@Override
	public CompletableFuture<Optional<String>> findRoute() {
		return find(() -> this.routes.apply(this));
	}

	private static <T> CompletableFuture<T> find(Supplier<CompletableFuture<T>> answer) {
		try {
			return answer.get();
		}
		catch (RuntimeException ex) {
			// Java's types do not accept all requests that servers accept.
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * A user whose only known property is the name.
	 *
	 * @param name the name
	 */
	private record Caller(String name) implements Principal {

		@Override
		public String getName() {
			return this.name;
		}

	}

}
