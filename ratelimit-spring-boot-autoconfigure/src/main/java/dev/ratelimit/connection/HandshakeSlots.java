package dev.ratelimit.connection;

import java.util.Map;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.web.servlet.ServletConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;

/**
 * Hands the slots of handshakes to sessions.
 *
 * @param slots looks after them
 */
record HandshakeSlots(ConnectionSlots slots) implements HandshakeInterceptor {

	@Override
	public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
			Map<String, Object> attributes) {
		if (request instanceof ServletServerHttpRequest servlet) {
			ConnectionSlot slot = this.slots
				.keep(ServletConnections.connect(servlet.getServletRequest(), this.slots.nowNanos()));
			if (slot != null) {
				attributes.put(LimitedWebSocketHandler.SLOT, slot);
			}
		}
		return true;
	}

	@Override
	public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
			@Nullable Exception failure) {
	}

}
