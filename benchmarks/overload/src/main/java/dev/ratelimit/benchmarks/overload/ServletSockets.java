package dev.ratelimit.benchmarks.overload;

import dev.ratelimit.connection.LimitedWebSocketHandler;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/**
 * A WebSocket endpoint for connections without messages, on the servlet stack.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSocket
@ConditionalOnBooleanProperty("benchmark.sockets")
@ConditionalOnWebApplication(type = Type.SERVLET)
class ServletSockets implements WebSocketConfigurer {

	@Override
	public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
		registry.addHandler(LimitedWebSocketHandler.of(new TextWebSocketHandler()), "/crowd/socket");
	}

}
