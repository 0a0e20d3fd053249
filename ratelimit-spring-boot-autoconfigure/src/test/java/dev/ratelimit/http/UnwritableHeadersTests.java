package dev.ratelimit.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimiter;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a request keeps no slot if its response rejects header fields, and is
 * charged only if the handler has run.
 */
class UnwritableHeadersTests {

	// On WebFlux, header fields are written after the handler has run, so the request is
	// charged.
	@ParameterizedTest
	@CsvSource({ "SERVLET, 2", "REACTIVE, 5" })
	void returnTheSlotAndTheCharge(WebApplicationType stack, int units) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).web(stack)
			.run("--server.port=0", "--ratelimit.store=memory", "--ratelimit.rules.slots.paths=/export",
					"--ratelimit.rules.slots.limit=1 concurrent", "--ratelimit.rules.units.paths=/export",
					"--ratelimit.rules.units.limit=" + units + "/d")) {
			HttpProbe http = new HttpProbe(
					context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			RateLimiter limiter = context.getBean(RateLimiter.class);
			for (int i = 0; i < 3; i++) {
				assertThat(http.get("/export", "X-Fail", "true").statusCode()).isEqualTo(500);
				awaitSlot(limiter);
			}
			List<Integer> statuses = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				statuses.add(http.get("/export").statusCode());
				awaitSlot(limiter);
			}
			assertThat(statuses).containsExactly(200, 200, 429);
		}
	}

	// On WebFlux, the slot is returned after the client has received the response.
	private static void awaitSlot(RateLimiter limiter) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.until(() -> limiter.peek("slots", "ip:127.0.0.1")
				.blockOptional()
				.orElseThrow()
				.verdicts()
				.get(0)
				.remaining() == 1);
	}

	private static void requireWritable(String name) {
		if (name.contains("RateLimit")) {
			throw new UnsupportedOperationException("these fields cannot be changed");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, ContractServletSecurity.class, ContractReactiveSecurity.class })
	static class Application {

		@Bean
		@ConditionalOnWebApplication(type = Type.SERVLET)
		FilterRegistrationBean<Filter> readOnlyServletHeaders() {
			FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> chain
				.doFilter(request, (((HttpServletRequest) request).getHeader("X-Fail") != null)
						? new ReadOnlyHeaders((HttpServletResponse) response) : response));
			filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return filter;
		}

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		@ConditionalOnWebApplication(type = Type.REACTIVE)
		WebFilter readOnlyHeaders() {
			return (exchange, chain) -> (!exchange.getRequest().getHeaders().containsHeader("X-Fail"))
					? chain.filter(exchange)
					: chain.filter(exchange.mutate().response(new ServerHttpResponseDecorator(exchange.getResponse()) {

						@Override
						public HttpHeaders getHeaders() {
							return new ReadOnlyFields(super.getHeaders());
						}

					}).build());
		}

	}

	static class ReadOnlyHeaders extends HttpServletResponseWrapper {

		ReadOnlyHeaders(HttpServletResponse response) {
			super(response);
		}

		@Override
		public void setHeader(String name, String value) {
			requireWritable(name);
			super.setHeader(name, value);
		}

	}

	static class ReadOnlyFields extends HttpHeaders {

		private static final long serialVersionUID = 1L;

		ReadOnlyFields(HttpHeaders headers) {
			super(headers);
		}

		@Override
		public void set(String name, String value) {
			requireWritable(name);
			super.set(name, value);
		}

	}

	@RestController
	static class Handlers {

		@GetMapping("/export")
		String export() {
			return "exported";
		}

	}

}
