package dev.ratelimit.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.doctor.Doctor;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.test.PlainPasswords;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that requests without a rule cannot be used to guess passwords: CORS preflights
 * and management requests, with the Basic authentication of Spring Security after the
 * early phase.
 */
class UncountedRequestsTests {

	private static final String[] PREFLIGHT = { "Origin", "https://page.example", "Access-Control-Request-Method",
			"GET" };

	private static final String[] WRONG = { "Authorization", HttpProbe.basic("alice", "guess") };

	private static final String[] RIGHT = { "Authorization", HttpProbe.basic("alice", "secret") };

	private static final int LIMIT = 100;

	private static final String OWN_TOKEN = "X-Own-Token";

	private ConfigurableApplicationContext context = new GenericApplicationContext();

	@AfterEach
	void close() {
		if (this.context.isActive()) {
			this.context.getBean(Held.class).release();
		}
		this.context.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void passwordsAreCountedInTheFormOfAPreflight(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=3/d", "--ratelimit.rules.basic.count-only.status=401");
		assertThat(statuses(5, "OPTIONS", "/work", PREFLIGHT, WRONG)).containsExactly(401, 401, 401, 429, 429);
		assertThat(send("OPTIONS", "/work", PREFLIGHT, RIGHT)).isEqualTo(429);
		assertThat(send("GET", "/work", RIGHT)).isEqualTo(429);
		assertThat(send("OPTIONS", "/work", PREFLIGHT)).as("a preflight of a browser").isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void onlyWhatBrowsersSendIsAPreflight(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=100/d", "--ratelimit.rules.key.limit=100/d",
				"--ratelimit.rules.key.paths=/keyed", "--ratelimit.rules.key.key=header:X-Key",
				"--ratelimit.rules.key.phase=late", "--ratelimit.rules.added.limit=100/d",
				"--ratelimit.rules.added.paths=/added", "--ratelimit.rules.added.key=header:X-Gateway",
				"--ratelimit.preflight-headers=x-gateway");
		int counted = 0;
		for (String[] fields : List.of(WRONG, RIGHT, new String[] { "Proxy-Authorization", "Basic x" },
				new String[] { "Cookie", "SESSION=1" }, new String[] { "Authorization", "" },
				new String[] { "Content-Type", "application/json", "Content-Length", "2" })) {
			String body = (fields.length > 2) ? "{}" : "";
			http().send("OPTIONS", "/work", body, (body.isEmpty()) ? join(PREFLIGHT, fields)
					: join(PREFLIGHT, new String[] { "Content-Type", "application/json" }));
			counted++;
			assertThat(used("basic", "ip:127.0.0.1")).as(Arrays.toString(fields)).isEqualTo(counted);
		}
		send("OPTIONS", "/keyed", PREFLIGHT, new String[] { "X-Key", "a" });
		assertThat(used("key", "header:a")).isOne();
		assertThat(used("basic", "ip:127.0.0.1")).as("decided for both phases").isEqualTo(counted + 1);
		for (String path : List.of("/work?token=1&size=9", "/keyed", "/added")) {
			send("OPTIONS", path, PREFLIGHT,
					new String[] { "X-Gateway", "g", "Access-Control-Request-Headers", "x-a", "Content-Length", "0" });
		}
		assertThat(used("basic", "ip:127.0.0.1")).isEqualTo(counted + 1);
		assertThat(used("added", "header:g")).isZero();
		assertThat(used("key", "header:~none")).isZero();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void passwordsAreCountedAtManagementUnlessTheyAreRight(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=3/d", "--ratelimit.rules.many.limit=100/d",
				"--ratelimit.rules.many.paths=/**", "--ratelimit.rules.many.key=ip,param:x",
				"--ratelimit.rules.caller.limit=1/d", "--ratelimit.rules.caller.paths=/**",
				"--ratelimit.rules.caller.key=caller", "--ratelimit.rules.param.limit=1/d",
				"--ratelimit.rules.param.paths=/**", "--ratelimit.rules.param.key=param:x");
		for (String path : List.of("/actuator/health", "/actuator/info", "/actuator", "/actuator/ratelimit")) {
			assertThat(statuses(2, "GET", path, RIGHT)).as(path).containsOnly(200);
			soon().untilAsserted(() -> assertThat(used("many", "ip:127.0.0.1|param:~none")).isZero());
		}
		assertThat(statuses(2, "GET", "/actuator/health", WRONG)).containsOnly(401);
		assertThat(statuses(2, "POST", "/actuator/info", WRONG)).containsExactly(401, 429);
		assertThat(send("GET", "/actuator/health", RIGHT)).as("no oracle").isEqualTo(429);
		assertThat(send("OPTIONS", "/actuator/info", PREFLIGHT, RIGHT)).isEqualTo(429);
		assertThat(statuses(3, "GET", "/actuator/health")).as("probes").containsOnly(200);
		assertThat(statuses(3, "GET", "/actuator/info", new String[] { "Cookie", "SESSION=1" })).containsOnly(401);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void managementMeetsRulesOfHeadersThatItCarries(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=100/d", "--ratelimit.rules.key.limit=1/d",
				"--ratelimit.rules.key.paths=/**", "--ratelimit.rules.key.key=header:X-Key",
				"--ratelimit.rules.key.on-missing-key=deny", "--ratelimit.rules.both.limit=100/d",
				"--ratelimit.rules.both.paths=/**", "--ratelimit.rules.both.key=ip,header:X-Tenant",
				"--ratelimit.rules.both.on-missing-key=deny");
		String[] keyed = { "X-Key", "a" };
		assertThat(statuses(2, "GET", "/actuator/info", WRONG)).containsOnly(401);
		assertThat(statuses(2, "GET", "/actuator/info", WRONG, keyed)).containsExactly(401, 429);
		assertThat(statuses(2, "GET", "/actuator/health", keyed)).containsOnly(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void bannedClientsAreBannedInEveryForm(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=1000/d", "--ratelimit.rules.basic.ban.after=3",
				"--ratelimit.rules.basic.ban.for=1h", "--ratelimit.rules.basic.ban.strikes=401");
		assertThat(statuses(3, "GET", "/actuator/health", WRONG)).containsOnly(401);
		soon().untilAsserted(() -> assertThat(send("GET", "/work", RIGHT)).isEqualTo(403));
		assertThat(send("OPTIONS", "/work", PREFLIGHT)).isEqualTo(403);
		assertThat(send("OPTIONS", "/work", PREFLIGHT, RIGHT)).isEqualTo(403);
		assertThat(send("GET", "/actuator/info", RIGHT)).isEqualTo(403);
		assertThat(send("GET", "/actuator/health", RIGHT)).isEqualTo(403);
		assertThat(send("GET", "/actuator/health")).as("a probe").isEqualTo(200);
		assertThat(send("GET", "/actuator/info", new String[] { "Cookie", "SESSION=1" })).as("the live page")
			.isEqualTo(401);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void preflightsTakeSeats(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=1000/d", "--ratelimit.load.enabled=true",
				"--ratelimit.load.limit=2", "--ratelimit.load.queue.length=0");
		List<CompletableFuture<Integer>> held = hold(2, "OPTIONS", "/work", PREFLIGHT);
		assertThat(inFlight()).isEqualTo(2);
		assertThat(send("OPTIONS", "/work", PREFLIGHT)).isEqualTo(503);
		assertThat(send("OPTIONS", "/work", PREFLIGHT, WRONG)).isEqualTo(503);
		assertThat(send("GET", "/work", RIGHT)).isEqualTo(503);
		assertThat(send("GET", "/actuator/health")).isEqualTo(200);
		assertThat(send("GET", "/actuator/info", RIGHT)).as("a seat of management").isEqualTo(200);
		release(held);
		assertThat(send("OPTIONS", "/work", PREFLIGHT)).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void managementTakesSeatsOfItsOwn(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=1000/d", "--ratelimit.load.enabled=true",
				"--ratelimit.load.limit=2", "--ratelimit.load.queue.length=0");
		List<CompletableFuture<Integer>> held = hold(4, "GET", "/actuator/info", RIGHT);
		assertThat(inFlight()).isZero();
		assertThat(send("GET", "/actuator/info")).isEqualTo(503);
		assertThat(send("GET", "/actuator/health", WRONG)).isEqualTo(503);
		assertThat(send("GET", "/actuator/health")).as("a probe").isEqualTo(200);
		assertThat(send("GET", "/work", RIGHT)).isEqualTo(200);
		release(held);
		assertThat(send("GET", "/actuator/info", RIGHT)).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theDoctorFindsCredentialsInExemptRequests(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=1000/d");
		assertThat(statuses(2, "GET", "/actuator/info")).containsOnly(401);
		assertThat(statuses(2, "GET", "/work", WRONG)).containsOnly(401);
		assertThat(statuses(2, "OPTIONS", "/work", PREFLIGHT)).containsOnly(200);
		assertThat(statuses(2, "GET", "/actuator/health", RIGHT)).containsOnly(200);
		assertThat(codes()).doesNotContain("RL031", "RL032");
		assertThat(send("OPTIONS", "/closed", PREFLIGHT)).isEqualTo(401);
		soon().untilAsserted(() -> assertThat(codes()).contains("RL031").doesNotContain("RL032"));
		assertThat(statuses(10, "GET", "/actuator/health", RIGHT)).containsOnly(200);
		assertThat(codes()).contains("RL032");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theDoctorFindsPrincipalsOfExemptRequests(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.basic.limit=1000/d");
		assertThat(send("GET", "/actuator/info", new String[] { OWN_TOKEN, "t" })).isEqualTo(200);
		soon().untilAsserted(() -> assertThat(codes()).contains("RL031"));
	}

	private List<String> codes() {
		return this.context.getBean(Doctor.class)
			.examine()
			.stream()
			.map((active) -> active.finding().code().id())
			.toList();
	}

	private List<CompletableFuture<Integer>> hold(int times, String method, String path, String[] fields) {
		Held held = this.context.getBean(Held.class);
		held.hold();
		List<CompletableFuture<Integer>> replies = IntStream.range(0, times)
			.mapToObj((i) -> CompletableFuture.supplyAsync(
					() -> send(method, path, fields, new String[] { "X-Hold", "true" }), UncountedRequestsTests::run))
			.toList();
		soon().untilAsserted(() -> assertThat(held.count()).isEqualTo(times));
		return replies;
	}

	private static void run(Runnable action) {
		Executor threads = (task) -> new Thread(task, "held").start();
		threads.execute(action);
	}

	private void release(List<CompletableFuture<Integer>> held) {
		this.context.getBean(Held.class).release();
		assertThat(held).allSatisfy((reply) -> assertThat(reply.join()).isEqualTo(200));
		soon().untilAsserted(() -> assertThat(inFlight()).isZero());
	}

	private int inFlight() {
		return this.context.getBean(LoadGuard.class).status(Level.NORMAL).inFlight();
	}

	private long used(String rule, String subject) {
		return LIMIT - this.context.getBean(RateLimiter.class)
			.peek(rule, subject)
			.blockOptional()
			.orElseThrow()
			.verdicts()
			.get(0)
			.remaining();
	}

	private int send(String method, String path, String[]... fields) {
		return http().send(method, path, join(fields)).statusCode();
	}

	private List<Integer> statuses(int times, String method, String path, String[]... fields) {
		return http().statuses(times, method, path, join(fields));
	}

	private static String[] join(String[]... fields) {
		return Stream.of(fields).flatMap(Stream::of).toArray(String[]::new);
	}

	private static ConditionFactory soon() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
	}

	private HttpProbe http() {
		return new HttpProbe(this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private void start(WebApplicationType stack, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--server.address=127.0.0.1",
				"--spring.main.banner-mode=off", "--management.endpoints.web.exposure.include=*",
				"--management.health.redis.enabled=false", "--ratelimit.rules.basic.paths=/**",
				"--ratelimit.rules.basic.key=ip", "--ratelimit.rules.basic.phase=early"));
		Collections.addAll(arguments, properties);
		this.context = new SpringApplicationBuilder(Authenticating.class).web(stack)
			.run(arguments.toArray(String[]::new));
	}

	/**
	 * Holds requests behind the limiter and the authentication, without blocking a thread
	 * of WebFlux.
	 */
	static final class Held {

		private CountDownLatch latch = new CountDownLatch(0);

		private CompletableFuture<Boolean> released = CompletableFuture.completedFuture(true);

		private int count;

		synchronized void hold() {
			this.latch = new CountDownLatch(1);
			this.released = new CompletableFuture<>();
			this.count = 0;
		}

		synchronized void release() {
			this.latch.countDown();
			this.released.complete(true);
		}

		synchronized CompletableFuture<Boolean> enter() {
			this.count++;
			return this.released;
		}

		synchronized int count() {
			return this.count;
		}

		void await() {
			enter().join();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ PlainPasswords.class, Handlers.class, OnServlet.class, OnWebFlux.class })
	static class Authenticating {

		@Bean
		Held held() {
			return new Held();
		}

		static Authentication token() {
			return UsernamePasswordAuthenticationToken.authenticated("alice", "", List.of());
		}

		static UserDetails alice() {
			return User.withUsername("alice").password("{noop}secret").roles("USER").build();
		}

	}

	@CrossOrigin("https://page.example")
	@RestController
	static class Handlers {

		@GetMapping({ "/work", "/keyed", "/added", "/closed" })
		String work() {
			return "work";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class OnServlet {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(Authenticating.alice());
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			http.csrf(AbstractHttpConfigurer::disable).httpBasic(Customizer.withDefaults());
			http.authorizeHttpRequests((requests) -> requests.requestMatchers("/actuator/health")
				.permitAll()
				.requestMatchers("/closed")
				.authenticated()
				.requestMatchers(HttpMethod.OPTIONS)
				.permitAll()
				.anyRequest()
				.authenticated());
			http.addFilterAfter((request, response, chain) -> {
				if (((HttpServletRequest) request).getHeader(OWN_TOKEN) != null) {
					SecurityContextHolder.getContext().setAuthentication(Authenticating.token());
				}
				chain.doFilter(request, response);
			}, BasicAuthenticationFilter.class);
			return http.build();
		}

		@Bean
		@Order(0)
		Filter holding(Held held) {
			return (request, response, chain) -> {
				if (((HttpServletRequest) request).getHeader("X-Hold") != null) {
					held.await();
				}
				chain.doFilter(request, response);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class OnWebFlux {

		@Bean
		NettyReactiveWebServerFactory netty() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(Authenticating.alice());
		}

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			http.csrf(ServerHttpSecurity.CsrfSpec::disable).httpBasic(Customizer.withDefaults());
			http.authorizeExchange((requests) -> requests.pathMatchers("/actuator/health")
				.permitAll()
				.pathMatchers("/closed")
				.authenticated()
				.pathMatchers(HttpMethod.OPTIONS)
				.permitAll()
				.anyExchange()
				.authenticated());
			http.addFilterAt((exchange, chain) -> (exchange.getRequest().getHeaders().containsHeader(OWN_TOKEN))
					? chain.filter(exchange)
						.contextWrite(ReactiveSecurityContextHolder.withAuthentication(Authenticating.token()))
					: chain.filter(exchange), SecurityWebFiltersOrder.AUTHENTICATION);
			return http.build();
		}

		@Bean
		@Order(0)
		WebFilter holding(Held held) {
			return (exchange, chain) -> (exchange.getRequest().getHeaders().containsHeader("X-Hold"))
					? Mono.fromFuture(held.enter()).then(chain.filter(exchange)) : chain.filter(exchange);
		}

	}

}
