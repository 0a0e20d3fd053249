package dev.ratelimit.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import dev.ratelimit.autoconfigure.EnableAuto;
import dev.ratelimit.rule.InvalidRuleException;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitClientAutoConfigurationTests {

	// Spring Boot would choose Apache HttpClient, which itself waits and retries.
	private final ApplicationContextRunner runner = EnableAuto.plain()
		.withUserConfiguration(Impatience.class)
		.withPropertyValues("ratelimit.client.enabled=true", "spring.http.clients.imperative.factory=jdk");

	private HttpServer server;

	@BeforeEach
	void rejectEverySecondRequest() throws Exception {
		AtomicLong requests = new AtomicLong();
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			exchange.getResponseHeaders().set("Retry-After", "7");
			exchange.sendResponseHeaders((requests.incrementAndGet() % 2 == 1) ? 429 : 200, -1);
			exchange.close();
		});
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	private String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	@Test
	void nothingIsThereUnlessAskedFor() {
		EnableAuto.plain()
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitRetry.class)
				.doesNotHaveBean("rateLimitRestClientCustomizer"));
		this.runner.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitRetry.class));
	}

	@Test
	void clientsOfBootsBuildersSendAgainAndAreCounted() {
		this.runner.run((context) -> {
			RestClient rest = context.getBean(RestClient.Builder.class).build();
			assertThat(rest.get().uri(url()).retrieve().toBodilessEntity().getStatusCode().value()).isEqualTo(200);
			WebClient web = context.getBean(WebClient.Builder.class).build();
			assertThat(web.get().uri(url()).retrieve().toBodilessEntity().block(Duration.ofSeconds(20))).isNotNull();
			assertThat(context.getBean(Impatience.class).waits.get()).isEqualTo(2);
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("ratelimit.client.retries").tag("status", "429").counter().count()).isEqualTo(2);
			assertThat(meters.get("ratelimit.client.wait").tag("cause", "retry").timer().count()).isEqualTo(2);
		});
	}

	// Shared resources may never close, as described in OwnNettyResources.
	@Test
	void applicationsOfTestsCloseConnectionsOfTheirOwn() {
		Stream.of(this.runner, EnableAuto.reactive())
			.forEach((any) -> any.run((context) -> assertThat(context.getBean(ReactorResourceFactory.class))
				.matches((resources) -> !resources.isUseGlobalResources())));
	}

	@Test
	void propertiesAreHeeded() {
		this.runner.withPropertyValues("ratelimit.client.max-wait=6s").run((context) -> {
			RestClient rest = context.getBean(RestClient.Builder.class).build();
			assertThat(
					rest.get().uri(url()).exchange((request, response) -> response.getStatusCode().value()).intValue())
				.isEqualTo(429);
			assertThat(context.getBean(MeterRegistry.class)
				.get("ratelimit.client.rejections")
				.tag("reason", "wait")
				.counter()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void metersNeedMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.micrometer"))
			.run((context) -> assertThat(context).hasSingleBean(RateLimitRetry.class)
				.doesNotHaveBean(OutboundMetrics.class));
	}

	@ParameterizedTest
	@CsvSource({ "max-attempts, 0", "max-wait, 25h", "max-total-time, 0s", "backoff, 0ms", "statuses, 200",
			"budget-ratio, 1.5", "budget-reserve, -1" })
	void invalidPropertyIsRejected(String property, String value) {
		String name = "ratelimit.client." + property;
		Map<String, String> properties = Map.of(name, value);
		assertThatExceptionOfType(BindException.class)
			.isThrownBy(() -> new Binder(new MapConfigurationPropertySource(properties))
				.bindOrCreate("ratelimit.client", ClientProperties.class))
			.havingRootCause()
			.isInstanceOfSatisfying(InvalidRuleException.class, (ex) -> assertThat(ex.location()).isEqualTo(name));
	}

	/**
	 * A clock without waits.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Impatience {

		private final AtomicLong waits = new AtomicLong();

		@Bean
		RetryTime time() {
			return new RetryTime() {

				@Override
				public Instant now() {
					return Instant.EPOCH;
				}

				@Override
				public long nanoTime() {
					return 0;
				}

				@Override
				public void sleep(Duration wait) {
					Impatience.this.waits.incrementAndGet();
				}

				@Override
				public Mono<Void> delay(Duration wait) {
					return Mono.fromRunnable(Impatience.this.waits::incrementAndGet);
				}

			};
		}

	}

}
