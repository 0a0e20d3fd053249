package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitTimeAutoConfiguration;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.GoldenVectors;
import dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration;
import dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.reactive.JettyReactiveWebServerFactory;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.reactive.TomcatReactiveWebServerFactory;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the client address does not depend on how the server or Spring handles
 * forwarding headers.
 */
@Tag("long")
class ClientAddressServerTests {

	private static final String PEER = "127.0.0.1";

	// The trusted proxies are those of the vectors and the probe, which acts as their
	// proxy.
	@ParameterizedTest
	@CsvSource({ "TOMCAT, none", "TOMCAT, native", "TOMCAT, framework", "NETTY, native", "NETTY, framework",
			"JETTY, native", "JETTY, framework", "TOMCAT_REACTIVE, native", "JETTY_REACTIVE, native" })
	void clientIsTheOneThatTheTrustedProxyNames(Server server, String strategy) {
		String trusted = "--ratelimit.client-address.trusted-proxies=10.0.0.0/8,127.0.0.0/8,::1,fd00::/8,198.51.100.0/24";
		try (ConfigurableApplicationContext application = start(server, strategy, trusted)) {
			assertThat(vectors("X-Forwarded-For")).hasSizeGreaterThan(15)
				.allSatisfy((vector) -> assertThat(subject(application, vector)).as(vector.toString())
					.isEqualTo("ip:" + expected(vector)));
		}
	}

	@ParameterizedTest
	@CsvSource({ "TOMCAT, framework", "NETTY, native" })
	void clientIsTheOneThatForwardedNames(Server server, String strategy) {
		try (ConfigurableApplicationContext application = start(server, strategy,
				"--ratelimit.client-address.header=Forwarded",
				"--ratelimit.client-address.trusted-proxies=127.0.0.1")) {
			assertThat(vectors("Forwarded")).hasSizeGreaterThan(4)
				.allSatisfy((vector) -> assertThat(subject(application, vector)).as(vector.toString())
					.isEqualTo("ip:" + expected(vector)));
		}
	}

	@ParameterizedTest
	@CsvSource({ "TOMCAT, native", "NETTY, native", "JETTY, framework" })
	void headersOfUntrustedPeersAreIgnored(Server server, String strategy) {
		try (ConfigurableApplicationContext application = start(server, strategy)) {
			assertThat(subject(application, "X-Forwarded-For", "203.0.113.7")).isEqualTo("ip:" + PEER);
			assertThat(subject(application, "Forwarded", "for=203.0.113.7")).isEqualTo("ip:" + PEER);
		}
	}

	@ParameterizedTest
	@CsvSource({ "TOMCAT, none, 127.0.0.1", "TOMCAT, native, 203.0.113.7", "TOMCAT, framework, 1.1.1.1",
			"NETTY, framework, 1.1.1.1", "JETTY, native, 1.1.1.1", "TOMCAT_REACTIVE, native, 203.0.113.7" })
	void containerCanProvideTheClientAddress(Server server, String strategy, String client) {
		try (ConfigurableApplicationContext application = start(server, strategy,
				"--ratelimit.client-address.source=container")) {
			assertThat(subject(application, "X-Forwarded-For", "1.1.1.1:80, 203.0.113.7:51234"))
				.isEqualTo("ip:" + client);
		}
	}

	private static List<JsonNode> vectors(String header) {
		return GoldenVectors.read("/vectors/client-address.json")
			.valueStream()
			.filter((vector) -> vector.get("header").asString().equals(header)
					&& !vector.get("note").asString().startsWith("peer is not a proxy"))
			.toList();
	}

	private static String expected(JsonNode vector) {
		String key = vector.get("key").asString();
		return (key.equals(vector.get("peer").asString())) ? PEER : key;
	}

	private static String subject(ConfigurableApplicationContext application, JsonNode vector) {
		return subject(application,
				vector.get("values")
					.valueStream()
					.flatMap((value) -> Stream.of(vector.get("header").asString(), value.asString()))
					.toArray(String[]::new));
	}

	private static String subject(ConfigurableApplicationContext application, String... headers) {
		Subjects store = application.getBean(Subjects.class);
		store.last = "";
		new HttpProbe(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class)).get("/x",
				headers);
		return store.last;
	}

	private static ConfigurableApplicationContext start(Server server, String strategy, String... properties) {
		List<String> arguments = new ArrayList<>(List.of(properties));
		arguments.addAll(List.of("--server.port=0", "--server.address=127.0.0.1",
				"--server.forward-headers-strategy=" + strategy, "--ratelimit.rules.all.paths=/**",
				"--ratelimit.rules.all.key=ip", "--ratelimit.rules.all.limit=1000/d", "--spring.main.banner-mode=off",
				"--logging.level.root=warn"));
		return new SpringApplicationBuilder(Application.class, server.configuration).web(server.stack())
			.run(arguments.toArray(String[]::new));
	}

	// Replaces the auto-configuration of Jetty in Spring Boot, which is excluded.
	private static boolean isNative(Environment environment) {
		return environment.getRequiredProperty("server.forward-headers-strategy").equals("native");
	}

	private enum Server {

		TOMCAT(Application.class), NETTY(Netty.class), JETTY(Jetty.class), TOMCAT_REACTIVE(TomcatReactive.class),
		JETTY_REACTIVE(JettyReactive.class);

		private final Class<?> configuration;

		private WebApplicationType stack() {
			return (this == TOMCAT || this == JETTY) ? WebApplicationType.SERVLET : WebApplicationType.REACTIVE;
		}

		Server(Class<?> configuration) {
			this.configuration = configuration;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TomcatServletWebServerAutoConfiguration.class,
			TomcatReactiveWebServerAutoConfiguration.class, NettyReactiveWebServerAutoConfiguration.class,
			DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class, HttpHandlerAutoConfiguration.class,
			WebFluxAutoConfiguration.class, RateLimitTimeAutoConfiguration.class, RateLimitAutoConfiguration.class,
			RateLimitServletAutoConfiguration.class, RateLimitWebFluxAutoConfiguration.class })
	static class Application {

		@Bean
		Subjects store() {
			return new Subjects();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Netty {

		@Bean
		NettyReactiveWebServerFactory server() {
			return new NettyReactiveWebServerFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TomcatReactive {

		@Bean
		TomcatReactiveWebServerFactory server() {
			return new TomcatReactiveWebServerFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Jetty {

		@Bean
		JettyServletWebServerFactory server(Environment environment) {
			JettyServletWebServerFactory factory = new JettyServletWebServerFactory();
			factory.setUseForwardHeaders(isNative(environment));
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class JettyReactive {

		@Bean
		JettyReactiveWebServerFactory server(Environment environment) {
			JettyReactiveWebServerFactory factory = new JettyReactiveWebServerFactory();
			factory.setUseForwardHeaders(isNative(environment));
			return factory;
		}

	}

	/**
	 * A store that records the last charged subject.
	 */
	static class Subjects implements LimitStore {

		private final MemoryLimitStore store = new MemoryLimitStore(100, () -> 60_000_000_000L);

		private volatile String last = "";

		@Override
		public String name() {
			return this.store.name();
		}

		@Override
		public CompletableFuture<AcquireResult> acquire(AcquireRequest demand) {
			this.last = demand.charges().get(0).bucket().subject();
			return this.store.acquire(demand);
		}

		@Override
		public CompletableFuture<Void> settle(List<Settlement> settlements) {
			return this.store.settle(settlements);
		}

		@Override
		public CompletableFuture<Void> reset(List<Bucket> buckets) {
			return this.store.reset(buckets);
		}

	}

}
