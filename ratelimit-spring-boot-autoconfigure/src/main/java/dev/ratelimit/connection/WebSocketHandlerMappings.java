package dev.ratelimit.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.web.servlet.ServletConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.messaging.SubProtocolWebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;
import org.springframework.web.socket.sockjs.transport.TransportHandlingSockJsService;

/**
 * Finds the mapped WebSocket handlers, and passes the slots of handshakes to their
 * sessions.
 */
final class WebSocketHandlerMappings implements BeanPostProcessor {

	private final Supplier<ConnectionSlots> slots;

	/**
	 * Create a post-processor of handler mappings.
	 * @param slots supplies the slots of all connections
	 */
	WebSocketHandlerMappings(Supplier<ConnectionSlots> slots) {
		this.slots = slots;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof AbstractUrlHandlerMapping mapping) {
			mapping.getHandlerMap().values().forEach(this::intercept);
		}
		return bean;
	}

	private void intercept(Object handler) {
		if (handler instanceof WebSocketHttpRequestHandler mapped) {
			mapped.setHandshakeInterceptors(withSlots(mapped.getHandshakeInterceptors()));
		}
		else if (handler instanceof SockJsHttpRequestHandler mapped
				&& mapped.getSockJsService() instanceof TransportHandlingSockJsService service) {
			service.setHandshakeInterceptors(withSlots(service.getHandshakeInterceptors()));
		}
	}

	// The interceptor is added once, because several paths may share one SockJS service.
	private List<HandshakeInterceptor> withSlots(List<HandshakeInterceptor> present) {
		HandshakeSlots handshakes = new HandshakeSlots(this.slots.get());
		List<HandshakeInterceptor> interceptors = new ArrayList<>(present);
		if (!interceptors.contains(handshakes)) {
			interceptors.add(handshakes);
		}
		return interceptors;
	}

	/**
	 * Return the first path whose handler does not manage the slots of its sessions.
	 * @param mappings the mappings
	 * @param limited whether a rule may apply to a path pattern
	 * @return the path; empty if there is none
	 */
	static Optional<String> unlimited(List<AbstractUrlHandlerMapping> mappings, Predicate<String> limited) {
		return mappings.stream()
			.flatMap((mapping) -> mapping.getHandlerMap().entrySet().stream())
			.filter((entry) -> find(entry.getValue()).filter((handler) -> !isLimited(handler)).isPresent())
			.map(Map.Entry::getKey)
			.filter(limited)
			.findFirst();
	}

	private static Optional<WebSocketHandler> find(Object handler) {
		if (handler instanceof WebSocketHttpRequestHandler mapped) {
			return Optional.of(mapped.getWebSocketHandler());
		}
		return (handler instanceof SockJsHttpRequestHandler mapped) ? Optional.of(mapped.getWebSocketHandler())
				: Optional.empty();
	}

	private static boolean isLimited(WebSocketHandler handler) {
		return LimitedWebSocketHandler.wraps(handler)
				|| WebSocketHandlerDecorator.unwrap(handler) instanceof SubProtocolWebSocketHandler;
	}

	/**
	 * Passes the slots of handshakes to sessions.
	 *
	 * @param slots the slots of all connections
	 */
	private record HandshakeSlots(ConnectionSlots slots) implements HandshakeInterceptor {

		private static final HttpMethod CONNECT = HttpMethod.valueOf("CONNECT");

		@Override
		public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				Map<String, Object> attributes) {
			if (request instanceof ServletServerHttpRequest servlet && isUpgrade(request)) {
				ConnectionSlot slot = this.slots
					.keep(ServletConnections.connect(servlet.getServletRequest(), this.slots.nowNanos()));
				if (slot != null) {
					attributes.put(LimitedWebSocketHandler.SLOT, slot);
				}
			}
			return true;
		}

		// Excludes SockJS sessions that consist of several requests, which are not
		// connections.
		private static boolean isUpgrade(ServerHttpRequest request) {
			return request.getMethod().equals(CONNECT)
					|| "websocket".equalsIgnoreCase(request.getHeaders().getUpgrade());
		}

		@Override
		public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				@Nullable Exception failure) {
		}

	}

}
