package dev.ratelimit.connection;

import java.io.Closeable;
import java.io.IOException;

import dev.ratelimit.gate.ConnectionSlot;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;

/**
 * A WebSocket handler whose sessions hold slots of rules with {@code hold: connection},
 * until they are closed. Wrap each handler that is registered with a
 * {@code WebSocketHandlerRegistry}. STOMP endpoints and handlers of WebFlux are wrapped
 * automatically.
 *
 * @since 0.1.0
 */
public final class LimitedWebSocketHandler extends WebSocketHandlerDecorator {

	static final String SLOT = LimitedWebSocketHandler.class.getName();

	private static final Log logger = LogFactory.getLog(LimitedWebSocketHandler.class);

	private LimitedWebSocketHandler(WebSocketHandler delegate) {
		super(delegate);
	}

	/**
	 * Wrap a handler.
	 * @param handler the handler
	 * @return the handler, whose sessions hold slots
	 */
	public static WebSocketHandler of(WebSocketHandler handler) {
		return (wraps(handler)) ? handler : new LimitedWebSocketHandler(handler);
	}

	static boolean wraps(WebSocketHandler handler) {
		WebSocketHandler current = handler;
		while (!(current instanceof LimitedWebSocketHandler)) {
			if (!(current instanceof WebSocketHandlerDecorator decorator)) {
				return false;
			}
			current = decorator.getDelegate();
		}
		return true;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) throws Exception {
		ConnectionSlot slot = slot(session);
		if (slot != null) {
			slot.claim(Held.of(session));
		}
		super.afterConnectionEstablished(session);
	}

	@Override
	public void afterConnectionClosed(WebSocketSession session, CloseStatus closeStatus) throws Exception {
		ConnectionSlot slot = slot(session);
		if (slot != null) {
			slot.free();
		}
		super.afterConnectionClosed(session, closeStatus);
	}

	private static @Nullable ConnectionSlot slot(WebSocketSession session) {
		return (session.getAttributes().get(SLOT) instanceof ConnectionSlot slot) ? slot : null;
	}

	/**
	 * A session that holds slots.
	 *
	 * @param session the session
	 * @param connection the connection of the server, which another one may replace in
	 * the session
	 */
	private record Held(WebSocketSession session, @Nullable Object connection) implements ConnectionSlot.Connection {

		static Held of(WebSocketSession session) {
			return new Held(session, (session instanceof NativeWebSocketSession own) ? own.getNativeSession() : null);
		}

		@Override
		public boolean isOpen() {
			return this.session.isOpen();
		}

		@Override
		public void close() {
			try {
				this.session.close(CloseStatus.GOING_AWAY);
				if (this.connection instanceof Closeable closeable) {
					closeable.close();
				}
			}
			catch (IOException | RuntimeException ex) {
				logger.debug("The connection could not be closed; it may be closed already", ex);
			}
		}

	}

}
