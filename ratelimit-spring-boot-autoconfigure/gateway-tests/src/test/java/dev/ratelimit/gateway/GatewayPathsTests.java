package dev.ratelimit.gateway;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that rules with paths are evaluated before routing, in the gateways of both
 * stacks.
 */
class GatewayPathsTests {

	@Test
	void pathsAreLimitedInTheGatewayOfWebFlux() {
		limits(WebApplicationType.REACTIVE, "spring.cloud.gateway.server.webflux.routes[0].");
	}

	@Test
	void pathsAreLimitedInTheGatewayOfServlets() {
		limits(WebApplicationType.SERVLET, "spring.cloud.gateway.server.webmvc.routes[0].");
	}

	private static void limits(WebApplicationType type, String route) {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = servers.gateway(type, route + "id=orders",
					route + "uri=" + servers.uri(), route + "predicates[0]=Path=/o/**",
					"spring.cloud.gateway.server.webflux.enabled=" + (type == WebApplicationType.REACTIVE),
					"ratelimit.rules.orders.paths=/o/{id}/**", "ratelimit.rules.orders.key=ip,path:id",
					"ratelimit.rules.orders.limit=2/h", "ratelimit.store=memory");
			HttpResponse<String> first = Servers.get(gateway, "/o/1");
			assertThat(first.statusCode()).isEqualTo(200);
			assertThat(String.join(", ", first.headers().allValues("RateLimit-Policy")))
				.contains("\"upstream\";q=7;w=60")
				.contains("\"orders\";q=2;w=3600");
			assertThat(Servers.get(gateway, "/o/1").statusCode()).isEqualTo(200);
			assertThat(Servers.get(gateway, "/o/1").statusCode()).isEqualTo(429);
			assertThat(Servers.get(gateway, "/o/2").statusCode()).isEqualTo(200);
			assertThat(servers.served()).isEqualTo(3);
		}
	}

}
