package dev.ratelimit.web.reactive;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitTimeAutoConfiguration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebInputException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a form that fails before the filter has started to wait for it.
 */
class UnreadableFormTests {

	@Test
	void theFailureIsTheServersOwnAndNothingIsHeld() {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(HttpHandlerAutoConfiguration.class, WebFluxAutoConfiguration.class,
					RateLimitTimeAutoConfiguration.class, RateLimitAutoConfiguration.class,
					RateLimitWebFluxAutoConfiguration.class))
			.withPropertyValues("ratelimit.rules.login.paths=/login", "ratelimit.rules.login.key=form:username",
					"ratelimit.rules.login.limit=5/d", "ratelimit.rules.jobs.paths=/login",
					"ratelimit.rules.jobs.key=global", "ratelimit.rules.jobs.limit=3",
					"ratelimit.rules.jobs.algorithm=concurrency")
			.run((context) -> {
				RateLimitWebFilter filter = context.getBean("rateLimitLateFilter", RateLimitWebFilter.class);
				MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.post("/login")
					.contentType(MediaType.APPLICATION_FORM_URLENCODED)
					.body(Flux.error(new ServerWebInputException("cut off"))));
				assertThat(filter.filter(exchange, (next) -> Mono.empty()).materialize().blockOptional())
					.hasValueSatisfying(
							(end) -> assertThat(end.getThrowable()).isInstanceOf(ServerWebInputException.class));
				assertThat(context.getBean(RateLimiter.class)
					.peek("jobs", "global")
					.blockOptional()
					.orElseThrow()
					.verdicts()
					.get(0)
					.remaining()).isEqualTo(3);
			});
	}

}
