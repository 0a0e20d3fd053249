package dev.ratelimit.connection;

import java.util.List;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.web.reactive.ExchangeConnections;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.socket.CloseStatus;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.reactive.socket.WebSocketSession;
import org.springframework.web.reactive.socket.server.WebSocketService;
import org.springframework.web.server.ServerWebExchange;

/**
 * Passes the slots of handshakes to WebFlux sessions. Wraps the handler, because the
 * service returns after the upgrade.
 *
 * @param service upgrades requests
 * @param slots the slots of all connections
 */
record LimitedWebSocketService(WebSocketService service, ConnectionSlots slots) implements WebSocketService {

	@Override
	public Mono<Void> handleRequest(ServerWebExchange exchange, WebSocketHandler handler) {
		ConnectionSlot slot = this.slots.keep(ExchangeConnections.connect(exchange, this.slots.nowNanos()));
		if (slot == null) {
			return this.service.handleRequest(exchange, handler);
		}
		return this.service.handleRequest(exchange, new Limited(handler, slot)).doOnError((failure) -> slot.free());
	}

	/**
	 * A session that holds slots.
	 *
	 * @param session the session
	 */
	private record Held(WebSocketSession session) implements ConnectionSlot.Connection {

		@Override
		public boolean isOpen() {
			return this.session.isOpen();
		}

		@Override
		public void close() {
			this.session.close(CloseStatus.GOING_AWAY).subscribe();
		}

	}

	/**
	 * A handler of one session.
	 *
	 * @param handler the handler of the application
	 * @param slot the slots
	 */
	private record Limited(WebSocketHandler handler, ConnectionSlot slot) implements WebSocketHandler {

		@Override
		public List<String> getSubProtocols() {
			return this.handler.getSubProtocols();
		}

		// If a client disconnects, the handler may not end, but the session is closed.
		// The periodic checks detect this, because a subscription to the end of the
		// session takes more memory.
		@Override
		public Mono<Void> handle(WebSocketSession session) {
			this.slot.claim(new Held(session));
			return this.handler.handle(session).doFinally((end) -> this.slot.free());
		}

	}

}
