package dev.ratelimit.web.reactive;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;

/**
 * Finds who has sent a WebFlux request, at the server's own request: whatever reads
 * forwarding headers changes the address that Spring tells, and may hide the headers.
 */
final class ReactiveClients {

	private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");

	private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

	private static final boolean JETTY = isPresent("org.eclipse.jetty.server.Request");

	private ReactiveClients() {
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, ReactiveClients.class.getClassLoader());
	}

	static ClientAddress find(ServerHttpRequest request, ClientAddresses addresses) {
		if (addresses.asksContainer()) {
			InetSocketAddress remote = request.getRemoteAddress();
			return addresses.reported((remote != null) ? host(remote) : "");
		}
		Object received = NativeRequests.of(request);
		if (NETTY && received instanceof HttpServerRequest netty) {
			return Netty.find(netty, addresses);
		}
		return (attribute(received) instanceof ClientAddress known) ? known
				: addresses.find(address(request.getRemoteAddress()), lines(request));
	}

	// The server has said so before anybody could change it.
	private static @Nullable Object attribute(Object received) {
		if (SERVLET && received instanceof HttpServletRequest request) {
			return request.getAttribute(ClientAddress.ATTRIBUTE);
		}
		return (JETTY && received instanceof Request request) ? request.getAttribute(ClientAddress.ATTRIBUTE) : null;
	}

	// A host that is not resolved is whatever a header said.
	private static String host(InetSocketAddress address) {
		return (address.isUnresolved()) ? address.getHostString() : address.getAddress().getHostAddress();
	}

	private static IpAddress address(@Nullable SocketAddress address) {
		return (address instanceof InetSocketAddress inet && inet.getAddress() != null)
				? IpAddress.of(inet.getAddress()) : IpAddress.UNKNOWN;
	}

	private static Function<String, List<String>> lines(ServerHttpRequest request) {
		return (name) -> request.getHeaders().getOrDefault(name, Collections.emptyList());
	}

	/**
	 * Loaded only where Reactor Netty is on the class path.
	 */
	private static final class Netty {

		static ClientAddress find(HttpServerRequest request, ClientAddresses addresses) {
			return addresses.find(address(request.connectionRemoteAddress()),
					(name) -> request.requestHeaders().getAll(name));
		}

	}

}
