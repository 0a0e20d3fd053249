package dev.ratelimit.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import com.sun.net.httpserver.HttpServer;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.autoconfigure.EnableAuto;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitQuotaAutoConfigurationTests {

	private final AtomicLong requests = new AtomicLong();

	private HttpServer server;

	private ApplicationContextRunner runner;

	@BeforeEach
	void start() throws Exception {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			String path = exchange.getRequestURI().getPath();
			boolean busy = path.equals("/busy") && this.requests.get() % 2 == 0;
			boolean rejected = path.equals("/refused") || busy;
			if (rejected) {
				exchange.getResponseHeaders().set("Retry-After", (busy) ? "1" : "30");
			}
			this.requests.incrementAndGet();
			exchange.sendResponseHeaders((rejected) ? 429 : 200, -1);
			exchange.close();
		});
		this.server.start();
		this.runner = EnableAuto.plain()
			.withPropertyValues("spring.http.clients.imperative.factory=jdk",
					"ratelimit.client.quotas.partner.urls=" + url("/**"),
					"ratelimit.client.quotas.partner.rule=partner", "ratelimit.rules.partner.programmatic=true",
					"ratelimit.rules.partner.key=global", "ratelimit.rules.partner.limit=3/h");
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	private String url(String path) {
		return "http://localhost:" + this.server.getAddress().getPort() + path;
	}

	private int rest(ApplicationContext context, String path) {
		return context.getBean(RestClient.Builder.class)
			.build()
			.get()
			.uri(url(path))
			.exchange((request, response) -> response.getStatusCode().value());
	}

	@SuppressWarnings("removal")
	private int template(ApplicationContext context, String path) {
		return context.getBean(RestTemplateBuilder.class)
			.build()
			.getForEntity(url(path), Void.class)
			.getStatusCode()
			.value();
	}

	private int web(ApplicationContext context, String path) {
		Integer status = context.getBean(WebClient.Builder.class)
			.build()
			.get()
			.uri(url(path))
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()))
			.block(Duration.ofSeconds(20));
		assertThat(status).isNotNull();
		return status;
	}

	@Test
	void nothingIsThereUnlessAskedFor() {
		EnableAuto.plain()
			.run((context) -> assertThat(context).doesNotHaveBean(Quotas.class)
				.doesNotHaveBean("rateLimitQuotaRestClientCustomizer"));
		this.runner.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(Quotas.class));
	}

	@Test
	void clientsOfBootsBuildersShareTheQuotaAndAreCounted() {
		this.runner.run((context) -> {
			assertThat(rest(context, "/")).isEqualTo(200);
			assertThat(web(context, "/")).isEqualTo(200);
			assertThat(rest(context, "/")).isEqualTo(200);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> web(context, "/"))
				.satisfies((ex) -> assertThat(ex.retryAfter()).isPresent());
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> rest(context, "/"));
			assertThat(this.requests).hasValue(3);
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("ratelimit.outbound").tag("outcome", "allowed").counter().count()).isEqualTo(3);
			assertThat(meters.get("ratelimit.outbound").tag("outcome", "rejected").counter().count()).isEqualTo(2);
		});
	}

	@Test
	void clientsOfTheBuilderOfTemplatesChargeTheQuotaForEachAttempt() {
		this.runner.withPropertyValues("ratelimit.client.enabled=true").run((context) -> {
			assertThat(template(context, "/busy")).isEqualTo(200);
			assertThat(this.requests).hasValue(2);
			assertThat(template(context, "/")).isEqualTo(200);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> template(context, "/"));
			assertThat(this.requests).hasValue(3);
		});
	}

	@Test
	void aRejectionByTheServerPausesTheRule() {
		this.runner.run((context) -> {
			assertThat(rest(context, "/refused")).isEqualTo(429);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> web(context, "/"))
				.satisfies((ex) -> assertThat(ex.retryAfter()).hasValueSatisfying(
						(wait) -> assertThat(wait).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30))));
			assertThat(this.requests).hasValue(1);
		});
	}

	@Test
	void eachAttemptOfARetriedRequestIsCharged() {
		this.runner
			.withPropertyValues("ratelimit.client.enabled=true", "ratelimit.client.max-wait=60s",
					"ratelimit.client.quotas.partner.max-pause=0s")
			.withBean(RetryTime.class, NoWait::new)
			.run((context) -> {
				assertThat(rest(context, "/refused")).isEqualTo(429);
				assertThat(this.requests).hasValue(3);
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> rest(context, "/"));
			});
	}

	@Test
	void metersOfRetriesNeedRetries() {
		ApplicationContextRunner counted = this.runner.withBean(SimpleMeterRegistry.class);
		counted.run((context) -> {
			assertThat(context).hasSingleBean(OutboundMetrics.class);
			assertThat(clientMeters(context)).isEmpty();
		});
		counted.withPropertyValues("ratelimit.client.enabled=true")
			.run((context) -> assertThat(clientMeters(context)).containsExactlyInAnyOrder("ratelimit.client.rejections",
					"ratelimit.client.wait"));
	}

	private static Set<String> clientMeters(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map((meter) -> meter.getId().getName())
			.filter((name) -> name.startsWith("ratelimit.client."))
			.collect(Collectors.toSet());
	}

	@Test
	void metersNeedMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.micrometer"))
			.run((context) -> assertThat(context).hasSingleBean(Quotas.class).doesNotHaveBean(OutboundMetrics.class));
	}

	@ParameterizedTest
	@CsvSource(
			textBlock = """
					ratelimit.client.quotas.partner.rule=other       | ratelimit.client.quotas.partner.rule     | there is no rule 'other'
					ratelimit.client.quotas.partner.rule=            | ratelimit.client.quotas.partner.rule     | it must be the id of a rule
					ratelimit.client.quotas.partner.urls=/v1         | ratelimit.client.quotas.partner.urls     | it must be a URL with a host
					ratelimit.client.quotas.partner.max-wait=2h      | ratelimit.client.quotas.partner.max-wait | between 0 and 1 h
					ratelimit.bans.enabled=false                     | ratelimit.client.quotas.partner.max-pause | a rule cannot be paused
					ratelimit.rules.partner.key=ip                   | ratelimit.client.quotas.partner.rule     | the key of the rule is not 'global'
					ratelimit.rules.partner.algorithm=concurrency    | ratelimit.client.quotas.partner.rule     | limits concurrent requests
					ratelimit.rules.partner.algorithm=leaky-bucket   | ratelimit.client.quotas.partner.rule     | delays requests
					""",
			delimiter = '|')
	void invalidPropertyPreventsTheStart(String property, String location, String reason) {
		ApplicationContextRunner changed = this.runner.withPropertyValues(property);
		if (property.endsWith("concurrency")) {
			changed = changed.withPropertyValues("ratelimit.rules.partner.limit=3");
		}
		changed.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.hasStackTraceContaining(location)
			.hasStackTraceContaining(reason));
	}

	/**
	 * A clock whose waits take no time.
	 */
	static final class NoWait implements RetryTime {

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
			assertThat(wait).isPositive();
		}

		@Override
		public Mono<Void> delay(Duration wait) {
			return Mono.empty();
		}

	}

}
