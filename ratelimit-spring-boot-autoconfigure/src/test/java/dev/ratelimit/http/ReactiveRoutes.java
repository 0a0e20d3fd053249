package dev.ratelimit.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.server.WebHandler;

/**
 * Handlers that are not methods, with precedence over handler methods.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveRoutes {

	@Bean
	RouterFunction<ServerResponse> routes(AnnotationApplication.Quotes quotes) {
		return RouterFunctions.route()
			.path("/b",
					(nested) -> nested.GET("/routed", (request) -> ServerResponse.ok().bodyValue("router"))
						.GET("/maybe", (request) -> request.queryParam("routed").isPresent(),
								(request) -> ServerResponse.ok().bodyValue("router")))
			.GET("/f/yaml", (request) -> ServerResponse.ok().bodyValue("yaml"))
			.GET("/f/quote", (request) -> quotes.routed().flatMap((text) -> ServerResponse.ok().bodyValue(text)))
			.build();
	}

	@Bean
	SimpleUrlHandlerMapping simple() {
		WebHandler handler = (exchange) -> exchange.getResponse()
			.writeWith(Mono.fromSupplier(
					() -> exchange.getResponse().bufferFactory().wrap("simple".getBytes(StandardCharsets.UTF_8))));
		return new SimpleUrlHandlerMapping(Map.of("/b/simple", handler), -5);
	}

}
