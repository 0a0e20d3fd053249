package dev.ratelimit.benchmarks.overload;

import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;

/**
 * A WebSocket endpoint for connections without messages, on WebFlux.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("benchmark.sockets")
@ConditionalOnWebApplication(type = Type.REACTIVE)
class ReactiveSockets {

	@Bean
	SimpleUrlHandlerMapping sockets() {
		WebSocketHandler idle = (session) -> session.receive().then();
		return new SimpleUrlHandlerMapping(Map.of("/crowd/socket", idle), -1);
	}

}
