package dev.ratelimit.sample;

import java.io.IOException;

import dev.ratelimit.connection.LimitedWebSocketHandler;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/**
 * A WebSocket endpoint on the servlet stack. Its handler is wrapped, so that connections
 * hold slots until they are closed.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSocket
@Profile("protect")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ServletSockets implements WebSocketConfigurer {

	@Override
	public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
		registry.addHandler(LimitedWebSocketHandler.of(new Echo()), "/ws/echo");
	}

	private static final class Echo extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

}
