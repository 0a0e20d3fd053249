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
 * Internal: hands the slots of handshakes to WebFlux sessions: wraps the handler, since
 * the service is done with the upgrade.
 *
 * @param service upgrades requests
 * @param slots looks after the slots
 */
public record LimitedWebSocketService(WebSocketService service, ConnectionSlots slots) implements WebSocketService {

	@Override
	public Mono<Void> handleRequest(ServerWebExchange exchange, WebSocketHandler handler) {
		ConnectionSlot slot = this.slots.keep(ExchangeConnections.connect(exchange, this.slots.nowNanos()));
		if (slot == null) {
			return this.service.handleRequest(exchange, handler);
		}
		return this.service.handleRequest(exchange, new Limited(handler, slot)).doOnError((failure) -> slot.free());
	}

	/**
	 * A handler of one session.
	 *
	 * @param handler the application's
	 * @param slot the slots
	 */
	private record Limited(WebSocketHandler handler, ConnectionSlot slot) implements WebSocketHandler {

		@Override
		public List<String> getSubProtocols() {
			return this.handler.getSubProtocols();
		}

		// A client that is gone may be noticed by the session alone.
		@Override
		public Mono<Void> handle(WebSocketSession session) {
			this.slot.claim(() -> session.close(CloseStatus.GOING_AWAY).subscribe());
			session.closeStatus().doFinally((end) -> this.slot.free()).subscribe((status) -> {
			}, (failure) -> this.slot.free());
			return this.handler.handle(session).doFinally((end) -> this.slot.free());
		}

	}

}
