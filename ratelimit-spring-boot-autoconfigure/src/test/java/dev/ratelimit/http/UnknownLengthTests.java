package dev.ratelimit.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.reactive.TomcatReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests content without a Content-Length field, which HTTP/2 permits, with every method.
 */
class UnknownLengthTests {

	private static final BodyPublisher HIDDEN = BodyPublishers
		.ofInputStream(() -> new ByteArrayInputStream(new byte[50]));

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void contentOfUnknownLengthIsNeverFree(WebApplicationType stack) throws Exception {
		try (ConfigurableApplicationContext application = start(stack)) {
			HttpClient client = HttpClient.newBuilder().version(Version.HTTP_2).build();
			// The first request of a connection uses HTTP/1.1 and upgrades to HTTP/2.
			assertThat(send(application, client, "OPTIONS", "warm", BodyPublishers.noBody()).version())
				.isEqualTo(Version.HTTP_2);
			for (String method : new String[] { "DELETE", "GET", "QUERY", "PROPFIND", "POST", "PATCH" }) {
				String key = UUID.randomUUID().toString();
				assertThat(remaining(send(application, client, method, key, HIDDEN))).as(method).isLessThan(100);
			}
			for (String method : new String[] { "QUERY", "PROPFIND", "POST" }) {
				String key = UUID.randomUUID().toString();
				assertThat(remaining(send(application, client, method, key, HIDDEN))).as(method).isZero();
				assertThat(send(application, client, method, key, HIDDEN).statusCode()).as(method).isEqualTo(429);
				assertThat(send(application, client, "DELETE", key, HIDDEN).statusCode()).isEqualTo(429);
			}
			assertThat(remaining(send(application, client, "DELETE", UUID.randomUUID().toString(),
					BodyPublishers.ofString("12345"))))
				.isEqualTo(95);
		}
	}

	@Test
	void norIsItOnAServletServerOfWebFlux() throws Exception {
		try (ConfigurableApplicationContext application = start(ServletServer.class, WebApplicationType.REACTIVE)) {
			HttpClient client = HttpClient.newBuilder().version(Version.HTTP_2).build();
			assertThat(send(application, client, "OPTIONS", "warm", BodyPublishers.noBody()).version())
				.isEqualTo(Version.HTTP_2);
			for (String method : new String[] { "DELETE", "QUERY" }) {
				assertThat(remaining(send(application, client, method, UUID.randomUUID().toString(), HIDDEN)))
					.as(method)
					.isLessThan(100);
			}
		}
	}

	private static long remaining(HttpResponse<String> response) {
		return Long.parseLong(response.headers().firstValue("X-RateLimit-Remaining").orElseThrow());
	}

	private static HttpResponse<String> send(ConfigurableApplicationContext application, HttpClient client,
			String method, String key, BodyPublisher body) throws IOException, InterruptedException {
		String port = application.getEnvironment().getRequiredProperty("local.server.port");
		URI uri = URI.create("http://localhost:" + port + "/elsewhere");
		return client.send(HttpRequest.newBuilder(uri).method(method, body).header("X-Key", key).build(),
				BodyHandlers.ofString());
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack) {
		return start(DeploymentTests.Application.class, stack);
	}

	private static ConfigurableApplicationContext start(Class<?> type, WebApplicationType stack) {
		return new SpringApplicationBuilder(type).web(stack)
			.run("--server.port=0", "--server.http2.enabled=true", "--ratelimit.rules.bytes.paths=/elsewhere",
					"--ratelimit.rules.bytes.key=header:X-Key", "--ratelimit.rules.bytes.limit=100/d",
					"--ratelimit.rules.bytes.cost=content-length");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebFluxSecurity
	static class ServletServer {

		@Bean
		TomcatReactiveWebServerFactory tomcat() {
			return new TomcatReactiveWebServerFactory();
		}

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			return http.csrf(ServerHttpSecurity.CsrfSpec::disable).build();
		}

	}

}
