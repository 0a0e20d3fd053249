package dev.ratelimit.http;

import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * Handlers that are not methods, with precedence over handler methods.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ServletRoutes {

	@Bean
	RouterFunction<ServerResponse> routes(AnnotationApplication.Quotes quotes) {
		return RouterFunctions.route()
			.path("/b",
					(nested) -> nested.GET("/routed", (request) -> ServerResponse.ok().body("router"))
						.GET("/maybe", (request) -> request.param("routed").isPresent(),
								(request) -> ServerResponse.ok().body("router")))
			.GET("/f/yaml", (request) -> ServerResponse.ok().body("yaml"))
			.GET("/f/quote",
					(request) -> ServerResponse.async(quotes.routed().map((text) -> ServerResponse.ok().body(text))))
			.build();
	}

	@Bean
	SimpleUrlHandlerMapping simple() {
		HttpRequestHandler handler = (request, response) -> response.getWriter().write("simple");
		return new SimpleUrlHandlerMapping(Map.of("/b/simple", handler), -5);
	}

}
