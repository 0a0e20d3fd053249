package dev.ratelimit.gateway;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RequestTally;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.gateway.RateLimitGatewayFilterFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.embedded.RedisServer;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests rules that routes of Spring Cloud Gateway name, in front of a real backend.
 */
class GatewayRoutesTests {

	private static final String ROUTE = "spring.cloud.gateway.server.webflux.routes[0].";

	private static final String ORDERS = "ratelimit.rules.orders.";

	private static ConfigurableApplicationContext start(Servers servers, String... more) {
		List<String> properties = new ArrayList<>(List.of(ROUTE + "id=first", ROUTE + "uri=" + servers.uri(),
				ROUTE + "predicates[0]=Path=/o/{id}/**", ORDERS + "programmatic=true", ORDERS + "key=ip",
				ORDERS + "limit=3/h", "ratelimit.store=memory"));
		for (String property : more) {
			String name = property.substring(0, property.indexOf('=') + 1);
			properties.removeIf((other) -> other.startsWith(name));
			properties.add(property);
		}
		return servers.gateway(WebApplicationType.REACTIVE, properties.toArray(String[]::new));
	}

	private static RequestTally requests(ConfigurableApplicationContext gateway) {
		return gateway.getBean(RateLimitEngine.class).requests();
	}

	private static List<Integer> statuses(ConfigurableApplicationContext gateway, String path, int requests) {
		return IntStream.range(0, requests).mapToObj((i) -> Servers.get(gateway, path).statusCode()).toList();
	}

	@Test
	void aRouteIsLimitedByTheRulesThatItNames() {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=RateLimit=orders",
					"spring.cloud.gateway.server.webflux.routes[1].id=other",
					"spring.cloud.gateway.server.webflux.routes[1].uri=" + servers.uri(),
					"spring.cloud.gateway.server.webflux.routes[1].predicates[0]=Path=/other");
			assertThat(statuses(gateway, "/o/1", 4)).containsExactly(200, 200, 200, 429);
			assertThat(statuses(gateway, "/other", 4)).containsOnly(200);
			assertThat(servers.served()).isEqualTo(7);
		}
	}

	@Test
	void theFieldsOfTheServiceBehindAreMergedAndARejectionHasItsOwn() {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=RateLimit=orders");
			HttpResponse<String> allowed = Servers.get(gateway, "/o/1");
			assertThat(String.join(", ", allowed.headers().allValues("RateLimit-Policy")))
				.contains("\"upstream\";q=7;w=60")
				.contains("\"orders\";q=3;w=3600");
			assertThat(allowed.headers().firstValue("RateLimit")).get().asString().contains("\"orders\";r=2");
			statuses(gateway, "/o/1", 2);
			HttpResponse<String> rejected = Servers.get(gateway, "/o/1");
			assertThat(rejected.statusCode()).isEqualTo(429);
			assertThat(rejected.headers().firstValue("Retry-After")).isPresent();
			assertThat(rejected.headers().firstValue("Content-Type")).hasValue("application/problem+json");
			assertThat(rejected.body()).contains("orders");
		}
	}

	@Test
	void keysReadTheRouteAndTheVariablesOfItsPredicates() {
		try (Servers servers = new Servers()) {
			String second = "spring.cloud.gateway.server.webflux.routes[1].";
			ConfigurableApplicationContext gateway = start(servers, ORDERS + "key=route,path:id", ORDERS + "limit=1/h",
					ROUTE + "filters[0]=RateLimit=orders", second + "id=second", second + "uri=" + servers.uri(),
					second + "predicates[0]=Path=/p/{id}", second + "filters[0]=RateLimit=orders");
			assertThat(statuses(gateway, "/o/1", 2)).containsExactly(200, 429);
			assertThat(statuses(gateway, "/o/2", 2)).containsExactly(200, 429);
			assertThat(statuses(gateway, "/p/1", 2)).containsExactly(200, 429);
		}
	}

	@Test
	void aRuleThatHasChargedTheRequestIsLeftOut() {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = start(servers, ORDERS + "paths=/o/**",
					ROUTE + "filters[0]=RateLimit=orders", ROUTE + "filters[1]=RateLimit=orders,partner",
					"ratelimit.rules.partner.programmatic=true", "ratelimit.rules.partner.key=ip",
					"ratelimit.rules.partner.limit=2/h");
			assertThat(statuses(gateway, "/o/1", 3)).containsExactly(200, 200, 429);
			assertThat(Servers.get(gateway, "/o/1").body()).contains("orders");
			assertThat(servers.served()).isEqualTo(2);
		}
	}

	@Test
	void eachAttemptBehindRetryIsCharged() {
		try (Servers servers = new Servers(503, 503)) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=Retry=3",
					ROUTE + "filters[1]=RateLimit=orders");
			HttpResponse<String> response = Servers.get(gateway, "/o/1");
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(response.headers().allValues("RateLimit")).singleElement().asString().contains("\"orders\";r=0");
			assertThat(servers.served()).isEqualTo(3);
			assertThat(Servers.get(gateway, "/o/1").statusCode()).isEqualTo(429);
		}
	}

	@Test
	void aRequestOfManyAttemptsIsCountedOnce() {
		try (Servers servers = new Servers(503, 503)) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=Retry=3",
					ROUTE + "filters[1]=RateLimit=orders");
			assertThat(Servers.get(gateway, "/o/1").statusCode()).isEqualTo(200);
			assertThat(requests(gateway).allowed()).isEqualTo(1);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aRejectionIsNotRepeated(CapturedOutput output) {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=Retry=3",
					ROUTE + "filters[1]=RateLimit=orders", ORDERS + "limit=1/h", ORDERS + "status=503");
			assertThat(statuses(gateway, "/o/1", 2)).containsExactly(200, 503);
			assertThat(Servers.get(gateway, "/o/1").body()).contains("orders");
			assertThat(requests(gateway).allowed()).isEqualTo(1);
			assertThat(requests(gateway).rejected()).containsOnly(Map.entry(503, 2L));
			assertThat(servers.served()).isEqualTo(1);
			assertThat(output).doesNotContain("UnsupportedOperationException");
		}
	}

	@Test
	void aRequestIsChargedOnceBeforeRetry() {
		try (Servers servers = new Servers(503, 503)) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=RateLimit=orders",
					ROUTE + "filters[1]=Retry=3");
			HttpResponse<String> response = Servers.get(gateway, "/o/1");
			assertThat(response.statusCode()).isEqualTo(200);
			assertThat(response.headers().firstValue("RateLimit")).get().asString().contains("\"orders\";r=2");
			assertThat(servers.served()).isEqualTo(3);
		}
	}

	@Test
	void anAttemptFreesItsSlotBeforeTheNextOne() {
		try (Servers servers = new Servers(503, 503)) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=Retry=3",
					ROUTE + "filters[1]=RateLimit=slots", "ratelimit.rules.slots.programmatic=true",
					"ratelimit.rules.slots.key=global", "ratelimit.rules.slots.algorithm=concurrency",
					"ratelimit.rules.slots.limit=1");
			RateLimiter limiter = gateway.getBean(RateLimiter.class);
			for (int i = 0; i < 3; i++) {
				assertThat(Servers.get(gateway, "/o/1").statusCode()).isEqualTo(200);
				// The last attempt may free its slot after the response.
				Awaitility.await()
					.pollDelay(Duration.ZERO)
					.until(() -> limiter.peek("slots", "global").block().verdicts().get(0).remaining() == 1);
			}
			assertThat(servers.served()).isEqualTo(5);
		}
	}

	@Test
	void anAttemptIsRefundedByItsOwnStatus() {
		try (Servers servers = new Servers(503, 503)) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=Retry=3",
					ROUTE + "filters[1]=RateLimit=orders", ORDERS + "refund.status=5xx", ORDERS + "limit=3/h");
			assertThat(statuses(gateway, "/o/1", 4)).containsExactly(200, 200, 200, 429);
			assertThat(servers.served()).isEqualTo(5);
		}
	}

	@Test
	void anAttemptIsCountedByItsOwnStatus() {
		try (Servers servers = new Servers(503, 503)) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=Retry=3",
					ROUTE + "filters[1]=RateLimit=orders", ORDERS + "count-only.status=5xx", ORDERS + "limit=4/h");
			assertThat(Servers.get(gateway, "/o/1").statusCode()).isEqualTo(200);
			assertThat(Servers.get(gateway, "/o/1").headers().firstValue("RateLimit")).get()
				.asString()
				.contains("\"orders\";r=1");
		}
	}

	@Test
	void aRuleThatIsNamedTwiceChargesOnce() {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = start(servers,
					ROUTE + "filters[0]=RateLimit=orders,partner,orders", "ratelimit.rules.partner.programmatic=true",
					"ratelimit.rules.partner.key=ip", "ratelimit.rules.partner.limit=9/h");
			assertThat(statuses(gateway, "/o/1", 4)).containsExactly(200, 200, 200, 429);
		}
	}

	@Test
	void aRequestThatHasWaitedTakesASeatAgain() {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=RateLimit=orders",
					ORDERS + "key=global", ORDERS + "limit=4/s burst 1", ORDERS + "wait=5s",
					"ratelimit.load.enabled=true", "ratelimit.load.limit=1");
			Servers.get(gateway, "/o/1");
			servers.hold(Duration.ofSeconds(2));
			List<CompletableFuture<Integer>> statuses = IntStream.range(0, 5)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> Servers.get(gateway, "/o/1").statusCode()))
				.toList();
			statuses.forEach(CompletableFuture::join);
			assertThat(servers.served()).isPositive();
			assertThat(servers.mostAtOnce()).isEqualTo(1);
		}
	}

	@Test
	void aRouteThatNamesNoRuleIsNotBuilt() {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = start(servers);
			RateLimitGatewayFilterFactory factory = gateway.getBean(RateLimitGatewayFilterFactory.class);
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> factory.apply("orders", (config) -> config.setRules(List.of("ordres"))))
				.withMessage("route 'orders': there is no rule 'ordres'");
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> factory.apply("orders", (config) -> config.setRules(List.of())))
				.withMessage("route 'orders': the filter RateLimit has no rule");
		}
	}

	@Test
	void aRuleThatARouteNamesIsNotRemoved() {
		try (Servers servers = new Servers()) {
			ConfigurableApplicationContext gateway = start(servers, ROUTE + "filters[0]=RateLimit=orders");
			assertThat(Servers.get(gateway, "/o/1").statusCode()).isEqualTo(200);
			assertThatExceptionOfType(InvalidRuleException.class)
				.isThrownBy(() -> gateway.getBean(RateLimitEngine.class).editions().adopt(List.of()))
				.withMessage("route 'first': there is no rule 'orders'");
			assertThat(Servers.get(gateway, "/o/1").headers().firstValue("RateLimit")).get()
				.asString()
				.contains("\"orders\";r=1");
		}
	}

	@Test
	void twoInstancesShareALimit() throws IOException {
		int port = freePort();
		RedisServer redis = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
		redis.start();
		try (Servers servers = new Servers()) {
			String[] properties = { ROUTE + "filters[0]=RateLimit=orders", ORDERS + "limit=20/h",
					"spring.data.redis.port=" + port, "ratelimit.store=redis", "ratelimit.deadline=20s" };
			List<ConfigurableApplicationContext> gateways = List.of(start(servers, properties),
					start(servers, properties));
			List<Integer> statuses = IntStream.range(0, 60)
				.parallel()
				.mapToObj((i) -> Servers.get(gateways.get(i % 2), "/o/1").statusCode())
				.toList();
			assertThat(statuses).containsOnly(200, 429).filteredOn((status) -> status == 200).hasSize(20);
			assertThat(servers.served()).isEqualTo(20);
		}
		finally {
			redis.stop();
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
