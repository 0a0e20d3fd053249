package dev.ratelimit.web.grpc;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.engine.WaitingPlaces;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.WaitingThreads;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.Lookup;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * A gRPC call at the gate: {@code POST /package.Service/Method}, with the metadata as
 * headers.
 */
final class GrpcGateRequest implements GateRequest {

	private static final String HOST = "host";

	private final ServerCall<?, ?> call;

	private final Metadata metadata;

	private final Optional<Principal> principal;

	private final PathContainer path;

	private final ClientAddresses addresses;

	private final WaitingThreads threads;

	private final GrpcMethods methods;

	private @Nullable ClientAddress client;

	GrpcGateRequest(ServerCall<?, ?> call, Metadata metadata, Optional<Principal> principal, RequestProgress progress,
			GrpcServer server) {
		this.call = call;
		this.metadata = metadata;
		this.principal = principal;
		this.path = Lookup.path(progress, "/" + call.getMethodDescriptor().getFullMethodName(), "");
		this.addresses = server.gate().addresses();
		this.threads = server.threads();
		this.methods = server.methods();
	}

	@Override
	public String method() {
		return "POST";
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
	public @Nullable PathContainer normalizedPath() {
		return null;
	}

	@Override
	public String query() {
		return "";
	}

	// Binary metadata is ignored, because it is not text.
	@Override
	public List<String> headers(String name) {
		String lower = name.toLowerCase(Locale.ROOT);
		if (lower.equals(HOST)) {
			return Optional.ofNullable(this.call.getAuthority()).stream().toList();
		}
		Metadata.Key<String> key = key(lower);
		Iterable<String> values = (key != null) ? this.metadata.getAll(key) : null;
		if (values == null) {
			return List.of();
		}
		List<String> all = new ArrayList<>(1);
		values.forEach(all::add);
		return all;
	}

	private static Metadata.@Nullable Key<String> key(String lower) {
		if (lower.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
			return null;
		}
		try {
			return Metadata.Key.of(lower, Metadata.ASCII_STRING_MARSHALLER);
		}
		catch (IllegalArgumentException ex) {
			// Metadata cannot have this name.
			return null;
		}
	}

	/**
	 * The last value, as {@link Metadata#get} returns it to services.
	 */
	@Override
	public Optional<String> header(String name) {
		List<String> values = headers(name);
		return (values.isEmpty()) ? Optional.empty() : Optional.of(values.get(values.size() - 1));
	}

	@Override
	public String remoteAddress() {
		return client().address().toString();
	}

	@Override
	public boolean hasAddressOfItsOwn() {
		return address().isKnown() && !this.addresses.isProxy(address());
	}

	@Override
	public ClientAddress client() {
		ClientAddress cached = this.client;
		if (cached == null) {
			cached = this.addresses.find(peer(), this::headers);
			this.client = cached;
		}
		return cached;
	}

	private IpAddress peer() {
		SocketAddress address = this.call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
		return (address instanceof InetSocketAddress inet && inet.getAddress() != null)
				? IpAddress.parse(inet.getAddress().getHostAddress()) : IpAddress.UNKNOWN;
	}

	@Override
	public Optional<Principal> principal() {
		return this.principal;
	}

	@Override
	public Optional<WaitingPlaces> waitingPlaces() {
		return this.threads.places();
	}

	@Override
	public boolean mayHideContent() {
		return true;
	}

	@Override
	public boolean isDispatched() {
		return false;
	}

	@Override
	public CompletableFuture<Optional<HandlerKey>> findHandler() {
		return CompletableFuture.completedFuture(this.methods.find(this.path.value()));
	}

	@Override
	public CompletableFuture<Optional<String>> findRoute() {
		return CompletableFuture.completedFuture(Optional.of(this.path.value()));
	}

	@Override
	public CompletableFuture<Boolean> hasOtherHandler() {
		return CompletableFuture.completedFuture(false);
	}

}
