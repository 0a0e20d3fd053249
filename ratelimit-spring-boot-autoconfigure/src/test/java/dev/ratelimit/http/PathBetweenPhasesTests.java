package dev.ratelimit.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.Phase;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.load.LoadGuard;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a filter between the two phases, at the position of Spring Security, that changes
 * the path of a request or forwards the request.
 */
class PathBetweenPhasesTests {

	private static final int BETWEEN = -100;

	private ConfigurableApplicationContext application = new GenericApplicationContext();

	@AfterEach
	void close() {
		this.application.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void earlyRulesOfTheNewPathApply(WebApplicationType stack) {
		start(stack, "login", "2/d", "late", "100/d");
		assertThat(post(3, "/v1/login")).containsExactly(200, 200, 429);
		assertThat(post(1, "/login")).containsExactly(429);
		assertThat(doctor()).contains("RL018");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void lateRulesOfTheNewPathApplyOnce(WebApplicationType stack) {
		start(stack, "login", "100/d", "late", "2/d");
		assertThat(post(3, "/v1/login")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anEarlyRuleOfBothPathsChargesOnce(WebApplicationType stack) {
		start(stack, "both", "2/d", "late", "100/d");
		assertThat(post(3, "/v1/login")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void anEarlyRuleOfTheHandlerApplies(WebApplicationType stack) {
		start(stack, "late", "100/d");
		assertThat(post(3, "/v1/annotated")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aPathOfManagementIsNoWayAround(WebApplicationType stack) {
		start(stack, "login", "2/d", "late", "100/d");
		assertThat(post(3, "/actuator/health/login")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aFormOfTheNewPathIsRead(WebApplicationType stack) {
		start(stack, "account", "2/d", "late", "100/d");
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			String[] type = { "Content-Type", "application/x-www-form-urlencoded" };
			statuses.add(http().send("POST", "/v1/login", "username=alice", type).statusCode());
		}
		assertThat(statuses).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@CsvSource({ "/login, 2/d, 100/d", "/login, 100/d, 2/d", "/other, 2/d, 100/d", "/other, 100/d, 2/d" })
	void aForwardIsNoWayAround(String path, String login, String late) {
		start(WebApplicationType.SERVLET, "login", login, "late", late);
		assertThat(post(3, path, "X-Forward", "/login")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRequestThatHasWaitedTakesASeatAgain(WebApplicationType stack) {
		start(stack, "slow", "1", "late", "100/d");
		LoadGuard guard = this.application.getBean(LoadGuard.class);
		SlowHandlers handlers = this.application.getBean(SlowHandlers.class);
		CompletableFuture<Reply> first = slow("a");
		Awaitility.await().untilAsserted(() -> assertThat(handlers.underWay("a")).hasSize(1));
		CompletableFuture<Reply> second = slow("b");
		Awaitility.await().until(() -> this.application.getBean(RateLimitEngine.class).queues().waiting() == 1);
		handlers.finish("a");
		assertThat(first.join().statusCode()).isEqualTo(200);
		Awaitility.await().untilAsserted(() -> assertThat(handlers.underWay("b")).hasSize(1));
		// The first request may return its seat after its response.
		Awaitility.await().untilAsserted(() -> assertThat(guard.status(Level.NORMAL).inFlight()).isOne());
		handlers.finish("b");
		assertThat(second.join().statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRequestOfTheNewPathTakesASeatInTheLatePhase(WebApplicationType stack) {
		start(stack, "guarded", "100/d");
		SlowHandlers handlers = this.application.getBean(SlowHandlers.class);
		CompletableFuture<Reply> request = slow("a");
		Awaitility.await().untilAsserted(() -> assertThat(handlers.underWay("a")).hasSize(1));
		assertThat(this.application.getBean(LoadGuard.class).status(Level.NORMAL).inFlight()).isOne();
		handlers.finish("a");
		assertThat(request.join().statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void validCredentialsToARewrittenPathOfManagementAreRefunded(WebApplicationType stack) {
		start(stack, "management", "2/d");
		for (int i = 0; i < 4; i++) {
			assertThat(http().get("/v1/actuator/ratelimit/doctor", "Authorization", HttpProbe.basic("alice", "secret"))
				.statusCode()).isEqualTo(200);
			// On WebFlux, the refund may come after the response.
			Awaitility.await().pollDelay(Duration.ZERO).until(() -> left("management") == 2);
		}
	}

	private CompletableFuture<Reply> slow(String key) {
		return CompletableFuture.supplyAsync(() -> http().send("POST", "/v1/slow", "X-Key", key),
				LeaseContract.THREADS);
	}

	private List<Integer> post(int times, String path, String... headers) {
		return http().statuses(times, "POST", path, headers);
	}

	private long left(String rule) {
		return this.application.getBean(RateLimiter.class)
			.peek(rule, "ip:127.0.0.1")
			.blockOptional()
			.orElseThrow()
			.verdicts()
			.get(0)
			.remaining();
	}

	private String doctor() {
		return http().get("/actuator/ratelimit/doctor", "Authorization", HttpProbe.basic("alice", "secret")).body();
	}

	private HttpProbe http() {
		return new HttpProbe(this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	// The arguments alternate between rules and limits.
	private void start(WebApplicationType stack, String... rules) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--ratelimit.store=memory",
				"--management.endpoints.web.exposure.include=*"));
		for (int i = 0; i < rules.length; i += 2) {
			String rule = "--ratelimit.rules." + rules[i];
			arguments.add(rule + ".limit=" + rules[i + 1]);
			switch (rules[i]) {
				case "late" -> arguments
					.addAll(List.of(rule + ".paths=/login,/annotated", rule + ".key=ip", rule + ".phase=late"));
				case "slow" -> arguments.addAll(List.of(rule + ".paths=/slow", rule + ".key=global", rule + ".wait=20s",
						rule + ".algorithm=concurrency", "--ratelimit.load.enabled=true"));
				case "guarded" -> arguments.addAll(List.of(rule + ".paths=/slow", rule + ".key=global",
						"--ratelimit.load.enabled=true", "--ratelimit.load.phase=late"));
				case "management" ->
					arguments.addAll(List.of(rule + ".paths=/actuator/**", rule + ".key=ip", rule + ".phase=early"));
				case "account" -> arguments.addAll(List.of(rule + ".paths=/login", rule + ".key=form:username"));
				case "both" -> arguments.addAll(List.of(rule + ".paths=/login,/v1/login", rule + ".key=ip"));
				default -> arguments.addAll(List.of(rule + ".paths=/login", rule + ".methods=POST", rule + ".key=ip"));
			}
		}
		this.application = new SpringApplicationBuilder(Application.class).web(stack)
			.run(arguments.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, SlowHandlers.class, ContractServletSecurity.class, ContractReactiveSecurity.class,
			ServletFilters.class, ReactiveFilters.class })
	static class Application {

	}

	@RestController
	static class Handlers {

		private final SlowHandlers slow;

		Handlers(SlowHandlers slow) {
			this.slow = slow;
		}

		@PostMapping("/slow")
		CompletableFuture<String> slow(@RequestHeader("X-Key") String key) {
			return this.slow.begin(key);
		}

		@PostMapping("/login")
		String login() {
			return "in";
		}

		@RateLimited(value = "2/d", key = "ip", phase = Phase.EARLY)
		@PostMapping("/annotated")
		String annotated() {
			return "annotated";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class ServletFilters {

		@Bean
		FilterRegistrationBean<Filter> versions() {
			return between((request, response, chain) -> {
				HttpServletRequest versioned = RewrittenRequest.withoutPrefix((HttpServletRequest) request, "/v1");
				chain.doFilter(RewrittenRequest.withoutPrefix(versioned, "/actuator/health"), response);
			});
		}

		@Bean
		FilterRegistrationBean<Filter> forwards() {
			return between((request, response, chain) -> {
				String target = ((HttpServletRequest) request).getHeader("X-Forward");
				if (target == null || request.getAttribute("forwarded") != null) {
					chain.doFilter(request, response);
					return;
				}
				request.setAttribute("forwarded", true);
				request.getRequestDispatcher(target).forward(request, response);
			});
		}

		private static FilterRegistrationBean<Filter> between(Filter filter) {
			FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
			registration.setOrder(BETWEEN);
			return registration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class ReactiveFilters {

		@Bean
		@Order(BETWEEN)
		WebFilter versions() {
			return (exchange, chain) -> {
				String path = exchange.getRequest().getPath().value();
				String rest = path.replaceFirst("^(/v1|/actuator/health)/", "/");
				return chain.filter(exchange.mutate().request((request) -> request.path(rest)).build());
			};
		}

	}

}
