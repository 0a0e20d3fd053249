package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import dev.ratelimit.PlanResolver;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RequestView;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.doctor.ActiveFinding;
import dev.ratelimit.doctor.Doctor;
import dev.ratelimit.doctor.OtherLimitersCheck;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.RequestObserver;
import jakarta.servlet.Filter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class DoctorAutoConfigurationTests {

	private static final String[] SHADOWED = { "ratelimit.rules.wide.paths=/**", "ratelimit.rules.wide.limit=5/min",
			"ratelimit.rules.narrow.paths=/api/**", "ratelimit.rules.narrow.limit=9/min" };

	private final WebApplicationContextRunner runner = EnableAuto.servlet().withPropertyValues(SHADOWED);

	@Test
	void findingsAboutRulesAreLoggedAtStart(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context.getBean(Doctor.class).examine()).singleElement()
				.extracting((diagnosis) -> diagnosis.finding().location())
				.isEqualTo("ratelimit.rules.narrow");
			assertThat(output).containsOnlyOnce("RL005 ");
		});
	}

	@Test
	void findingsAboutRulesAreLoggedOutsideTheWeb(CapturedOutput output) {
		new ApplicationContextRunner().withUserConfiguration(EnableAuto.class)
			.withPropertyValues(SHADOWED)
			.run((context) -> assertThat(output).contains("RL005 "));
	}

	@Test
	void handlersAreFoundByTheirPaths(CapturedOutput output) {
		this.runner.withUserConfiguration(Limited.class)
			.run((context) -> assertThat(output).contains("ratelimit.rules.by-handler"));
	}

	// Without the principal, nothing has checked the key before.
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aPlanIsNoProofThatTheKeyIsThatOfAClient(boolean principal) {
		PlanResolver plans = new PlanResolver() {

			@Override
			public Optional<String> plan(RequestView request) {
				return request.header("X-Api-Key").filter("key-of-acme"::equals).map((key) -> "pro");
			}

			@Override
			public boolean needsPrincipal() {
				return principal;
			}

		};
		EnableAuto.servlet()
			.withBean(PlanResolver.class, () -> plans)
			.withPropertyValues("ratelimit.rules.api.paths=/api/**", "ratelimit.rules.api.key=header:X-Api-Key",
					"ratelimit.rules.api.limit=10/min", "ratelimit.rules.api.plans.pro.limit=100/min")
			.run((context) -> assertThat(context.getBean(Doctor.class).examine())
				.extracting((diagnosis) -> diagnosis.finding().code())
				.containsExactlyElementsOf((principal) ? List.of() : List.of(FindingCode.CLIENT_CONTROLLED_KEY)));
	}

	@Test
	void disabledDoctorRunsNoCheck(CapturedOutput output) {
		this.runner.withPropertyValues("ratelimit.doctor.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(Doctor.class);
			assertThat(output).doesNotContain("RL005");
		});
	}

	@Test
	void requestsAreLimitedWithoutObserverOnServlet() {
		this.runner.withPropertyValues("ratelimit.doctor.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(RequestObserver.class);
			assertThat(context.getBean(RequestGate.class).observer()).isSameAs(RequestObserver.NONE);
			Filter filter = context.getBean("rateLimitLateFilter", FilterRegistrationBean.class).getFilter();
			for (int request = 1; request <= 6; request++) {
				MockHttpServletResponse response = new MockHttpServletResponse();
				filter.doFilter(new MockHttpServletRequest(), response, new MockFilterChain());
				assertThat(response.getStatus()).isEqualTo((request <= 5) ? 200 : 429);
			}
		});
	}

	@Test
	void requestsAreLimitedWithoutObserverOnWebFlux() {
		EnableAuto.reactive()
			.withPropertyValues(SHADOWED)
			.withPropertyValues("ratelimit.doctor.enabled=false")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RequestObserver.class);
				WebFilter filter = context.getBean("rateLimitLateFilter", WebFilter.class);
				for (int request = 1; request <= 6; request++) {
					ServerWebExchange exchange = exchange();
					filter.filter(exchange, (filtered) -> Mono.empty()).block();
					assertThat(exchange.getResponse().getStatusCode())
						.isEqualTo((request <= 5) ? null : HttpStatus.TOO_MANY_REQUESTS);
				}
			});
	}

	@Test
	void doctorLooksAgainByItselfAndStopsWithTheApplication() throws InterruptedException {
		AtomicInteger looks = new AtomicInteger();
		this.runner.withBean(Check.class, () -> () -> {
			looks.incrementAndGet();
			return List.of();
		}).withPropertyValues("ratelimit.doctor.interval=10ms").run((context) -> {
			assertThat(looks).as("before the start is over").hasPositiveValue();
			Awaitility.await().until(() -> looks.get() > 3);
		});
		int last = looks.get();
		TimeUnit.MILLISECONDS.sleep(50);
		assertThat(looks).hasValueLessThanOrEqualTo(last + 1);
	}

	@Test
	void quotaHeadersOfSomebodyElseAreFoundOnServlet() {
		this.runner.run((context) -> {
			Filter filter = context.getBean("rateLimitLateFilter", FilterRegistrationBean.class).getFilter();
			filter.doFilter(new MockHttpServletRequest(), new MockHttpServletResponse(), new MockFilterChain());
			assertThat(codes(context)).doesNotContain(FindingCode.TWO_LIMITERS);
			MockHttpServletResponse response = new MockHttpServletResponse();
			response.setHeader("X-RateLimit-Remaining", "7");
			filter.doFilter(new MockHttpServletRequest(), response, new MockFilterChain());
			assertThat(codes(context)).contains(FindingCode.TWO_LIMITERS);
		});
	}

	@Test
	void quotaHeadersOfSomebodyElseAreFoundOnWebFlux() {
		EnableAuto.reactive().withPropertyValues(SHADOWED).run((context) -> {
			WebFilter filter = context.getBean("rateLimitLateFilter", WebFilter.class);
			filter.filter(exchange(), (filtered) -> Mono.empty()).block();
			assertThat(codes(context)).doesNotContain(FindingCode.TWO_LIMITERS);
			ServerWebExchange exchange = exchange();
			exchange.getResponse().getHeaders().set("X-RateLimit-Remaining", "7");
			filter.filter(exchange, (filtered) -> Mono.empty()).block();
			assertThat(codes(context)).contains(FindingCode.TWO_LIMITERS);
		});
	}

	// Invert this test after Spring Boot includes a version with the fix.
	@Test
	void serversThatStopReadingAreFoundOnWebFluxAlone(CapturedOutput output) {
		EnableAuto.servlet()
			.run((context) -> assertThat(codes(context)).doesNotContain(FindingCode.HANGING_CONNECTIONS));
		EnableAuto.reactive().run((context) -> {
			assertThat(codes(context)).contains(FindingCode.HANGING_CONNECTIONS);
			assertThat(output).contains("RL019 ").contains("reactor-netty-http 1.3.");
		});
	}

	private static ServerWebExchange exchange() {
		return MockServerWebExchange.from(MockServerHttpRequest.get("/"));
	}

	private static Set<FindingCode> codes(ApplicationContext context) {
		return context.getBean(Doctor.class)
			.examine()
			.stream()
			.map((diagnosis) -> diagnosis.finding().code())
			.collect(Collectors.toSet());
	}

	@ParameterizedTest
	@CsvSource({ "20, true", "-20, true", "0, false" })
	void clockThatDiffersFromThatOfRedisIsFound(long seconds, boolean found, TestRedis redis) {
		Duration skew = Duration.ofSeconds(seconds);
		new ApplicationContextRunner().withUserConfiguration(EnableAuto.class)
			.withBean(WallClock.class, () -> new WallClock(() -> Instant.now().plus(skew)))
			.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
					"ratelimit.deadline=20s", "ratelimit.rules.all.limit=100/min")
			.run((context) -> {
				// The time of a call that is late looks like a difference of the clocks.
				Awaitility.await().untilAsserted(() -> {
					context.getBean(RateLimiter.class).acquire("all", "user:a").block();
					assertThat(context.getBean(Doctor.class).examine().stream().map(ActiveFinding::finding))
						.filteredOn((finding) -> finding.code() == FindingCode.CLOCK_SKEW)
						.hasSize((found) ? 1 : 0)
						.allSatisfy((finding) -> assertThat(finding.detail())
							.contains((seconds > 0) ? "behind the clock" : "ahead of the clock"));
				});
			});
	}

	@ParameterizedTest
	@CsvSource({ "bucket4j.filters[0].url, .*, bucket4j.filters[0].url",
			"spring.cloud.gateway.server.webflux.routes[0].filters[1].name, RequestRateLimiter, RequestRateLimiter",
			"spring.cloud.gateway.routes[0].filters[0], 'RequestRateLimiter=1', RequestRateLimiter" })
	void otherLimitersAreFoundByTheirProperties(String name, String value, String told) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of(name, value, "spring.cloud.gateway.routes[0].id",
					"${missing}", "bucket4j.enabled", "true")));
		assertThat(new OtherLimitersCheck(environment, (type) -> true).findings()).singleElement()
			.satisfies((finding) -> assertThat(finding.code()).isEqualTo(FindingCode.TWO_LIMITERS))
			.satisfies((finding) -> assertThat(finding.toString()).contains(name, told));
		assertThat(new OtherLimitersCheck(environment, (type) -> false).findings()).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(LimitedController.class)
	static class Limited {

	}

	@RestController
	static class LimitedController {

		@GetMapping("/by-handler")
		@RateLimited(id = "by-handler", value = "6/min")
		String limited() {
			return "";
		}

	}

}
