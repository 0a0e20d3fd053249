package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.ratelimit.RateLimited;
import dev.ratelimit.test.redis.TestRedis;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the traces of requests through real servers. Each decision has an observation
 * within that of the request, and both have the outcome.
 */
@Tag("redis")
class ObservationTests {

	private static final String ACQUIRE = "ratelimit.acquire";

	private static final String HTTP = "http.server.requests";

	@ParameterizedTest
	@CsvSource({ "SERVLET, memory", "SERVLET, redis", "REACTIVE, memory", "REACTIVE, redis" })
	void decisionsAreObserved(WebApplicationType stack, String store) {
		try (ConfigurableApplicationContext application = start(stack, store, "ratelimit.observation.enabled=true")) {
			bothPhasesAreObservedWithinTheRequest(application, (store.equals("redis")) ? "remote" : "local");
			aRejectionIsToldWithoutItsSubject(application);
			callsOfMethodsAreObservedApart(application);
			unlimitedRequestIsNotObserved(application);
		}
	}

	private void bothPhasesAreObservedWithinTheRequest(ConfigurableApplicationContext application, String source) {
		TestObservationRegistry registry = registry(application);
		assertThat(get(application, "/both")).isEqualTo(200);
		Observation.Context request = request(registry);
		assertThat(text(request, "ratelimit.rules")).isEqualTo("first,second");
		assertThat(text(request, "ratelimit.rejected-by")).isEqualTo("none");
		assertThat(text(request, "ratelimit.remaining")).isEqualTo("1");
		List<Observation.Context> decisions = decisions(registry);
		assertThat(decisions).extracting((decision) -> text(decision, "ratelimit.phase"))
			.containsExactly("early", "late");
		assertThat(decisions).extracting((decision) -> text(decision, "ratelimit.rules"))
			.containsExactly("first", "second");
		assertThat(decisions).allSatisfy((decision) -> {
			assertThat(receiver(decision)).isSameAs(request);
			assertThat(text(decision, "ratelimit.outcome")).isEqualTo("allowed");
			assertThat(text(decision, "ratelimit.reason")).isEqualTo("within_limits");
			assertThat(text(decision, "ratelimit.source")).isEqualTo(source);
		});
	}

	private void aRejectionIsToldWithoutItsSubject(ConfigurableApplicationContext application) {
		TestObservationRegistry registry = registry(application);
		assertThat(Stream.generate(() -> get(application, "/both")).limit(2)).containsExactly(200, 429);
		assertThat(registry).hasAnObservation((observed) -> observed.hasNameEqualTo(HTTP)
			.hasHighCardinalityKeyValue("ratelimit.rules", "first,second")
			.hasHighCardinalityKeyValue("ratelimit.rejected-by", "second")
			.hasHighCardinalityKeyValue("ratelimit.remaining", "0"));
		assertThat(registry).hasAnObservation((observed) -> observed.hasNameEqualTo(ACQUIRE)
			.hasOnlyKeys("ratelimit.phase", "ratelimit.outcome", "ratelimit.source", "ratelimit.reason",
					"ratelimit.rules", "ratelimit.rejected-by", "ratelimit.remaining")
			.hasLowCardinalityKeyValue("ratelimit.outcome", "rejected")
			.hasLowCardinalityKeyValue("ratelimit.reason", "limit_exceeded")
			.hasHighCardinalityKeyValue("ratelimit.rejected-by", "second"));
		assertThat(decisions(registry).toString()).doesNotContain("127.0.0.1", "alice");
	}

	private void callsOfMethodsAreObservedApart(ConfigurableApplicationContext application) {
		TestObservationRegistry registry = registry(application);
		application.getBean(Mailer.class).send();
		assertThat(decisions(registry)).singleElement().satisfies((decision) -> {
			assertThat(text(decision, "ratelimit.phase")).isEqualTo("method");
			assertThat(text(decision, "ratelimit.rules")).isEqualTo("mail");
		});
		assertThat(get(application, "/mail")).isEqualTo(200);
		assertThat(request(registry).getHighCardinalityKeyValue("ratelimit.rules")).isNull();
	}

	private void unlimitedRequestIsNotObserved(ConfigurableApplicationContext application) {
		TestObservationRegistry registry = registry(application);
		assertThat(get(application, "/open")).isEqualTo(200);
		assertThat(request(registry).getHighCardinalityKeyValue("ratelimit.rules")).isNull();
		assertThat(decisions(registry)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void addressesThatAreDeniedAreObserved(WebApplicationType stack) {
		try (ConfigurableApplicationContext application = start(stack, "memory", "ratelimit.observation.enabled=true",
				"ratelimit.deny=127.0.0.1")) {
			TestObservationRegistry registry = registry(application);
			assertThat(get(application, "/both")).isEqualTo(403);
			assertThat(text(request(registry), "ratelimit.rejected-by")).isEqualTo("*");
			assertThat(decisions(registry)).singleElement()
				.satisfies((decision) -> assertThat(text(decision, "ratelimit.reason")).isEqualTo("deny_listed"));
		}
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void nothingIsObservedByDefault(WebApplicationType stack) {
		try (ConfigurableApplicationContext application = start(stack, "memory")) {
			TestObservationRegistry registry = registry(application);
			assertThat(get(application, "/both")).isEqualTo(200);
			assertThat(request(registry).getHighCardinalityKeyValue("ratelimit.rules")).isNull();
			assertThat(decisions(registry)).isEmpty();
		}
	}

	private static TestObservationRegistry registry(ConfigurableApplicationContext application) {
		TestObservationRegistry registry = application.getBean(TestObservationRegistry.class);
		registry.clear();
		return registry;
	}

	private static Observation.Context request(TestObservationRegistry registry) {
		assertThat(registry).hasNumberOfObservationsWithNameEqualTo(HTTP, 1);
		return named(registry, HTTP).get(0);
	}

	private static List<Observation.Context> decisions(TestObservationRegistry registry) {
		return named(registry, ACQUIRE);
	}

	private static List<Observation.Context> named(TestObservationRegistry registry, String name) {
		List<Observation.Context> found = new ArrayList<>();
		assertThat(registry).hasHandledContextsThatSatisfy((
				contexts) -> contexts.stream().filter((context) -> name.equals(context.getName())).forEach(found::add));
		return found;
	}

	// Observations of Spring Security may be between both.
	private static Observation.ContextView receiver(Observation.ContextView context) {
		ObservationView parent = context.getParentObservation();
		assertThat(parent).as("%s has a parent", context).isNotNull();
		Observation.ContextView above = parent.getContextView();
		return (above instanceof ReceiverContext<?>) ? above : receiver(above);
	}

	private static String text(Observation.Context context, String key) {
		return context.getAllKeyValues()
			.stream()
			.filter((value) -> value.getKey().equals(key))
			.findFirst()
			.orElseThrow(() -> new AssertionError("no " + key + " in " + context))
			.getValue();
	}

	private static int get(ConfigurableApplicationContext application, String path) {
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		return new HttpProbe(port).get(path, "Authorization", HttpProbe.basic("alice", "secret")).statusCode();
	}

	private static ConfigurableApplicationContext start(WebApplicationType stack, String store, String... more) {
		Stream<String> redis = (store.equals("redis")) ? Stream.of("ratelimit.redis.host=" + TestRedis.shared().host(),
				"ratelimit.redis.port=" + TestRedis.shared().port(), "ratelimit.redis.key-prefix=" + UUID.randomUUID())
				: Stream.empty();
		Stream<String> own = Stream.of("server.port=0", "spring.main.banner-mode=off", "ratelimit.deadline=20s",
				"ratelimit.store=" + store, "ratelimit.rules.first.paths=/both", "ratelimit.rules.first.key=ip",
				"ratelimit.rules.first.limit=5/h", "ratelimit.rules.second.paths=/both",
				"ratelimit.rules.second.key=user", "ratelimit.rules.second.limit=2/h");
		return new SpringApplicationBuilder(Application.class).web(stack)
			.run(Stream.of(own, redis, Stream.of(more))
				.flatMap((properties) -> properties)
				.map((property) -> "--" + property)
				.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, Mailer.class, ContractServletSecurity.class, ContractReactiveSecurity.class })
	static class Application {

		@Bean
		TestObservationRegistry observations() {
			return TestObservationRegistry.create();
		}

	}

	@RestController
	static class Handlers {

		private final Mailer mailer;

		Handlers(Mailer mailer) {
			this.mailer = mailer;
		}

		@GetMapping({ "/both", "/open" })
		String both() {
			return "served";
		}

		@GetMapping("/mail")
		Mono<String> mail() {
			return this.mailer.later();
		}

	}

	@Service
	static class Mailer {

		@RateLimited(id = "mail", value = "100/h", key = "global")
		void send() {
		}

		@RateLimited(id = "mail-later", value = "100/h", key = "global")
		Mono<String> later() {
			return Mono.just("sent");
		}

	}

}
