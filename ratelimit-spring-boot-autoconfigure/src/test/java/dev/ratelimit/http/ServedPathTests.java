package dev.ratelimit.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimited;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.server.WebFilter;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that rules apply to the served path, for any spelling of the path in the request
 * and for any rewriting. The firewall of Spring Security is not active.
 */
class ServedPathTests {

	private static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

	private ConfigurableApplicationContext context = new GenericApplicationContext();

	@TempDir
	private Path files;

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void otherServletsAreLimitedByThePathTheySee() {
		start(WebApplicationType.SERVLET, "--ratelimit.rules.files.paths=/files/**,/nothing",
				"--ratelimit.rules.files.except-paths=/public/**");
		assertEachIsCharged("file /a", "/files/a", "//files/a", "/files//a", "/./files/a", "/x/../files/a",
				"/x/%2e%2e/files/a", "/x/..;v=1/files/a", "/files;v=1/a", "/%66iles/a",
				"/actuator/health/../../files/a", "/public/../files/a");
	}

	@Test
	void aPathIsExceptedAsItIsServed() {
		start(WebApplicationType.SERVLET, "--ratelimit.rules.files.paths=/**",
				"--ratelimit.rules.files.except-paths=/files/open/**");
		assertThat(http().statuses(3, "GET", "/files/open/a")).containsOnly(200);
		assertThat(http().statuses(3, "GET", "/files/open/../a")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void spellingsOfANumberShareABucket(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.named.paths=/plain/{id}", "--ratelimit.rules.named.key=path:id");
		assertThat(http().get("/plain/7").statusCode()).isEqualTo(200);
		assertThat(http().get("/plain/07").statusCode()).isEqualTo(200);
		for (String spelled : List.of("007", "+7", "%2007", "0x7", "%23007", "%D9%A7", "7")) {
			assertThat(http().get("/plain/" + spelled).statusCode()).as(spelled).isEqualTo(429);
		}
		assertThat(http().get("/plain/70").statusCode()).isEqualTo(200);
	}

	@Test
	void aRuleReplacesOthersOfItsOwnPathOnly() {
		start(WebApplicationType.REACTIVE, "--ratelimit.rules.named.paths=/plain/**",
				"--ratelimit.rules.open.paths=/plain/open/**", "--ratelimit.rules.open.limit=unlimited",
				"--ratelimit.rules.open.replaces=named");
		assertThat(http().statuses(3, "GET", "/plain/open/a")).doesNotContain(429);
		assertThat(http().statuses(3, "GET", "/plain/a%2F..%2Fopen%2Fb")).containsExactly(200, 200, 429);
	}

	@Test
	void variablesAreThoseOfTheServedPath() {
		start(WebApplicationType.SERVLET, "--ratelimit.rules.files.paths=/files/{*id}",
				"--ratelimit.rules.files.key=path:id");
		List<Integer> statuses = new ArrayList<>();
		for (String path : List.of("/files/a", "/files/x/../a", "/files/y/../a", "/files//a")) {
			statuses.add(http().get(path).statusCode());
		}
		assertThat(statuses).containsExactly(200, 200, 429, 429);
		assertThat(http().get("/files/b").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void staticResourcesAreLimitedByThePathTheyAreFoundAt(WebApplicationType stack) throws IOException {
		Files.writeString(Files.createDirectory(this.files.resolve("downloads")).resolve("a.txt"), "static");
		start(stack, "--spring.web.resources.static-locations=" + this.files.toUri(),
				"--ratelimit.rules.files.paths=/downloads/a.txt");
		assertEachIsCharged("static", "/downloads/a.txt", "//downloads/a.txt", "/./downloads/a.txt",
				"/%2e/downloads/a.txt", "/downloads//a.txt", "/downloads/a.txt/");
		if (stack == WebApplicationType.REACTIVE) {
			assertEachIsCharged("static", "/downloads%2fa.txt", "/downloads/a.txt%2F");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aPathThatIsRewrittenBehindUsMeetsItsRules(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.named.paths=/plain/{id}", "--ratelimit.rules.named.key=path:id");
		assertThat(http().statuses(3, "GET", "/v1/plain/a")).containsExactly(200, 200, 429);
		assertThat(http().get("/plain/a").statusCode()).isEqualTo(429);
		assertThat(http().get("/v1/plain/b").statusCode()).isEqualTo(200);
		assertThat(http().statuses(3, "GET", "/v1/annotated")).containsExactly(200, 200, 429);
		assertThat(http().get("/annotated").statusCode()).isEqualTo(429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aTrailingSlashThatIsTrimmedBehindUsIsNoWayAround(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.named.paths=/plain/{id}", "--test.trim-slashes=true");
		assertThat(http().get("/annotated/").body()).isEqualTo("annotated");
		assertThat(http().statuses(2, "GET", "/annotated/")).containsExactly(200, 429);
		assertThat(http().statuses(3, "GET", "/plain/a/")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRuleOfBothPathsChargesOnce(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.both.paths=/v1/**,/plain/**");
		assertThat(http().get("/v1/plain/a").header("X-RateLimit-Remaining")).isEqualTo("1");
		assertThat(http().get("/v1/plain/a").header("X-RateLimit-Remaining")).isEqualTo("0");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRewrittenRequestIsChargedUnderItsNewRouteToo(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.both.paths=/v1/**,/plain/**", "--ratelimit.rules.both.key=header:X-Case,route");
		assertThat(http().statuses(2, "GET", "/v1/plain/a", "X-Case", "a")).containsExactly(200, 200);
		assertThat(http().statuses(1, "GET", "/v1/none", "X-Case", "a")).as("its first route").containsExactly(429);
		assertThat(http().statuses(1, "GET", "/plain/b", "X-Case", "a")).as("its new route").containsExactly(429);
		assertThat(http().get("/actuator/ratelimit/doctor").body()).doesNotContain("RL012");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRewrittenRequestWithTheSameRouteIsChargedOnce(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.both.paths=/moved/**", "--ratelimit.rules.both.key=header:X-Case,route");
		assertThat(http().statuses(3, "GET", "/moved/v1/1", "X-Case", "a")).containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aRouterFunctionIsARoute(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.both.paths=/functions/**", "--ratelimit.rules.both.key=header:X-Case,route");
		assertThat(http().statuses(2, "GET", "/functions/one/1", "X-Case", "a")).containsExactly(200, 200);
		assertThat(http().statuses(1, "GET", "/functions/one/2", "X-Case", "a")).containsExactly(429);
		assertThat(http().statuses(3, "GET", "/functions/two", "X-Case", "a")).containsExactly(200, 200, 429);
		assertThat(http().get("/actuator/ratelimit/explain?path=/functions/one/1&header=X-Case:a").body())
			.contains("\"header:a|route:/functions/one/%7bid%7d\"");
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void theDoctorTellsOfRewrittenPaths(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.named.paths=/plain/{id}");
		http().get("/plain/a");
		assertThat(http().get("/actuator/ratelimit/doctor").body()).doesNotContain("RL018");
		http().get("/v1/plain/a");
		assertThat(http().get("/actuator/ratelimit/doctor").body()).contains("RL018", "\"count\":1");
	}

	@ParameterizedTest
	@CsvSource({ "/forwarded/plain/a, /plain/a", "/forwarded/annotated, /annotated" })
	void aRequestThatIsForwardedBeforeUsMeetsTheRulesOfItsTarget(String path, String target) {
		start(WebApplicationType.SERVLET, "--ratelimit.rules.named.paths=/plain/{id}");
		assertThat(http().statuses(3, "GET", path)).containsExactly(200, 200, 429);
		assertThat(http().get(target).statusCode()).isEqualTo(429);
	}

	@Test
	void aForwardedPrefixIsNoWayAround() {
		start(WebApplicationType.SERVLET, "--server.forward-headers-strategy=framework",
				"--ratelimit.rules.named.paths=/plain/{id}");
		List<Integer> statuses = new ArrayList<>();
		for (String path : List.of("/plain/a", "//plain/a", "/plain//a")) {
			statuses.add(http().get(path, "X-Forwarded-Prefix", "/p").statusCode());
		}
		assertThat(statuses).containsExactly(200, 200, 429);
	}

	private void assertEachIsCharged(String body, String... paths) {
		for (String path : paths) {
			Reply reply = http().get(path, "X-Case", path);
			assertThat(reply.body()).as(path).isEqualTo(body);
			assertThat(reply.header("X-RateLimit-Remaining")).as(path).isEqualTo("1");
			assertThat(http().statuses(2, "GET", path, "X-Case", path)).as(path).containsExactly(200, 429);
		}
	}

	private void start(WebApplicationType stack, String... properties) {
		this.context.close();
		List<String> arguments = new ArrayList<>(List.of(properties));
		arguments.addAll(List.of("--server.port=0", "--ratelimit.defaults.key=header:X-Case",
				"--management.endpoints.web.exposure.include=*"));
		for (String rule : List.of("files", "named", "both")) {
			if (arguments.stream().anyMatch((argument) -> argument.contains("rules." + rule + "."))) {
				arguments.add("--ratelimit.rules." + rule + ".limit=2/d");
			}
		}
		Class<?> application = (stack == WebApplicationType.SERVLET) ? Servlet.class : Reactive.class;
		this.context = new SpringApplicationBuilder(application).web(stack).run(arguments.toArray(String[]::new));
	}

	private HttpProbe http() {
		return new HttpProbe(this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = { SECURITY + "SecurityAutoConfiguration",
			SECURITY + "UserDetailsServiceAutoConfiguration", SECURITY + "ReactiveUserDetailsServiceAutoConfiguration",
			SECURITY + "actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
			SECURITY + "actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
			SECURITY + "web.reactive.ReactiveWebSecurityAutoConfiguration",
			SECURITY + "web.servlet.SecurityFilterAutoConfiguration",
			SECURITY + "web.servlet.ServletWebSecurityAutoConfiguration" })
	@Import(Handlers.class)
	static class Open {

	}

	@RestController
	static class Handlers {

		@GetMapping("/plain/{id}")
		String plain(@PathVariable String id) {
			return "plain " + id;
		}

		@GetMapping("/moved/{version}/{id}")
		String moved(@PathVariable String version) {
			return version;
		}

		@RateLimited("2/d")
		@GetMapping("/annotated")
		String annotated() {
			return "annotated";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Open.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class Servlet {

		@Bean
		ServletRegistrationBean<HttpServlet> fileServlet() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				@Override
				protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
					response.getWriter().write("file " + request.getPathInfo());
				}

			}, "/files/*");
		}

		// If another servlet serves the path, this filter itself fails for paths such as
		// //files.
		@Bean
		@ConditionalOnBooleanProperty("test.trim-slashes")
		UrlHandlerFilter slashes() {
			return UrlHandlerFilter.trailingSlashHandler("/plain/*", "/annotated").wrapRequest().build();
		}

		@Bean
		Filter versions() {
			return (request, response, chain) -> chain
				.doFilter(RewrittenRequest.withoutPrefix((HttpServletRequest) request, "/v1"), response);
		}

		@Bean
		Filter moves() {
			return (request, response, chain) -> chain.doFilter(
					RewrittenRequest.replacing((HttpServletRequest) request, "/moved/v1/", "/moved/v2/"), response);
		}

		@Bean
		RouterFunction<ServerResponse> functions() {
			return RouterFunctions.route()
				.path("/functions",
						(nested) -> nested.GET("/one/{id}", (request) -> ServerResponse.ok().body("one"))
							.GET("/two", (request) -> ServerResponse.ok().body("two")))
				.build();
		}

		// A filter without a registration has the order of its class.
		@Bean
		FilterRegistrationBean<Filter> forwarding() {
			FilterRegistrationBean<Filter> first = new FilterRegistrationBean<>((request, response, chain) -> {
				String path = ((HttpServletRequest) request).getRequestURI();
				if (path.startsWith("/forwarded")) {
					request.getRequestDispatcher(path.substring(10)).forward(request, response);
				}
				else {
					chain.doFilter(request, response);
				}
			});
			first.setOrder(Ordered.HIGHEST_PRECEDENCE);
			return first;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Open.class)
	static class Reactive {

		@Bean
		NettyReactiveWebServerFactory netty() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		org.springframework.web.filter.reactive.UrlHandlerFilter slashes() {
			return org.springframework.web.filter.reactive.UrlHandlerFilter
				.trailingSlashHandler("/plain/*", "/annotated")
				.mutateRequest()
				.build();
		}

		@Bean
		org.springframework.web.reactive.function.server.RouterFunction<?> functions() {
			return org.springframework.web.reactive.function.server.RouterFunctions.route()
				.path("/functions",
						(nested) -> nested.GET("/one/{id}", (request) -> ok("one")).GET("/two", (request) -> ok("two")))
				.build();
		}

		private static Mono<org.springframework.web.reactive.function.server.ServerResponse> ok(String body) {
			return org.springframework.web.reactive.function.server.ServerResponse.ok().bodyValue(body);
		}

		@Bean
		WebFilter versions() {
			return (exchange, chain) -> {
				String path = exchange.getRequest().getPath().value();
				if (path.startsWith("/moved/v1/")) {
					return chain.filter(
							exchange.mutate().request((request) -> request.path(path.replace("/v1/", "/v2/"))).build());
				}
				return (path.startsWith("/v1/"))
						? chain.filter(exchange.mutate().request((request) -> request.path(path.substring(3))).build())
						: chain.filter(exchange);
			};
		}

	}

}
