package dev.ratelimit.sample;

import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.reactive.socket.WebSocketMessage;

/**
 * A WebSocket endpoint on the reactive stack, the same as on the servlet stack. Its
 * connections are limited without further code.
 */
@Configuration(proxyBeanMethods = false)
@Profile("protect")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveSockets {

	@Bean
	HandlerMapping sockets() {
		WebSocketHandler echo = (session) -> session
			.send(session.receive().map(WebSocketMessage::getPayloadAsText).map(session::textMessage));
		return new SimpleUrlHandlerMapping(Map.of("/ws/echo", echo), -1);
	}

}
