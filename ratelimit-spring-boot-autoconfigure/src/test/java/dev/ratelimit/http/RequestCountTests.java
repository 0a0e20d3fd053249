package dev.ratelimit.http;

import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.RateLimited;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code ratelimit.requests} counts each request once, for any number of rules
 * and phases, and that rejections are counted by the sent status.
 */
class RequestCountTests {

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void eachRequestIsCountedOnceByItsResponse(WebApplicationType stack) {
		try (ConfigurableApplicationContext application = start(stack)) {
			// This request is rejected only by a method and must not be subtracted from
			// the allowed requests.
			assertThat(get(application, "/mail")).isEqualTo(200);
			assertThat(get(application, "/mail")).isEqualTo(429);
			assertThat(IntStream.range(0, 6).map((i) -> get(application, "/both"))).containsExactly(200, 200, 200, 429,
					429, 429);
			assertThat(get(application, "/blocked")).isEqualTo(403);
			assertThat(get(application, "/ceiling")).isEqualTo(200);
			assertThat(get(application, "/ceiling")).isEqualTo(503);
			assertThat(get(application, "/teapot")).isEqualTo(418);
			assertThat(get(application, "/free")).isEqualTo(200);
			assertThat(get(application, "/tenant")).isEqualTo(200);
			assertThat(get(application, "/tenant", "X-Tenant", "a")).isEqualTo(200);
			assertThat(countOfTenant(application, "ratelimit.key.missing")).isEqualTo(1);
			assertThat(countOfTenant(application, "ratelimit.key.checked")).isEqualTo(2);
			assertThat(count(application, "allowed", "none")).isEqualTo(6);
			assertThat(count(application, "rejected", "429")).isEqualTo(4);
			assertThat(count(application, "rejected", "403")).isEqualTo(1);
			assertThat(count(application, "rejected", "503")).isEqualTo(1);
			assertThat(count(application, "rejected", "other")).isEqualTo(1);
		}
	}

	private static double count(ConfigurableApplicationContext application, String outcome, String status) {
		return application.getBean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("outcome", outcome, "status", status)
			.functionCounter()
			.count();
	}

	private static double countOfTenant(ConfigurableApplicationContext application, String meter) {
		return application.getBean(MeterRegistry.class).get(meter).tag("rule", "tenant").functionCounter().count();
	}

	private static int get(ConfigurableApplicationContext application, String path, String... headers) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		String[] all = Stream.concat(Stream.of("Authorization", HttpProbe.basic("alice", "secret")), Stream.of(headers))
			.toArray(String[]::new);
		return new HttpProbe(port).get(path, all).statusCode();
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack) {
		Map<String, String> rules = Map.of("first", "/both 100/h per ip", "second", "/both 3/h per user", "third",
				"/both 50/h per ip", "blocked", "/blocked 0/h per ip", "ceiling", "/ceiling 1/h per global", "tenant",
				"/tenant 1/h per header:X-Tenant");
		return new SpringApplicationBuilder(Application.class).web(stack)
			.run(Stream.concat(
					rules.entrySet().stream().map((rule) -> "ratelimit.rules." + rule.getKey() + "=" + rule.getValue()),
					Stream.of("server.port=0", "spring.main.banner-mode=off", "ratelimit.store=memory",
							"ratelimit.rules.teapot.paths=/teapot", "ratelimit.rules.teapot.limit=0/h",
							"ratelimit.rules.teapot.status=418"))
				.map((property) -> "--" + property)
				.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, Mailer.class, ContractServletSecurity.class, ContractReactiveSecurity.class })
	static class Application {

	}

	@RestController
	static class Handlers {

		private final Mailer mailer;

		Handlers(Mailer mailer) {
			this.mailer = mailer;
		}

		@GetMapping("/mail")
		Mono<String> mail() {
			return this.mailer.send();
		}

		@GetMapping({ "/both", "/blocked", "/ceiling", "/teapot", "/tenant", "/free" })
		String served() {
			return "served";
		}

	}

	@Service
	static class Mailer {

		@RateLimited(id = "mail", value = "1/h", key = "global", status = 429)
		Mono<String> send() {
			return Mono.just("sent");
		}

	}

}
