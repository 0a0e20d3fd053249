package dev.ratelimit.web.grpc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import com.example.shop.OrdersGrpc;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitRejectionHandler;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Rejection;
import dev.ratelimit.RequestView;
import dev.ratelimit.engine.WaitingPlaces;
import dev.ratelimit.http.HttpProbe;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.security.AuthenticationProcessInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that calls of gRPC services are requests at the gate.
 */
class GrpcServicesTests {

	private static final String BASIC_ALICE = "Basic YWxpY2U6c2VjcmV0";

	private static final String BASIC_WRONG = "Basic YWxpY2U6d3Jvbmc=";

	static ConfigurableApplicationContext start(Class<?> type, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--spring.main.banner-mode=off", "--spring.grpc.server.port=0",
				"--ratelimit.store=memory", "--management.health.redis.enabled=false"));
		Stream.of(properties).forEach((property) -> arguments.add("--ratelimit." + property));
		return new SpringApplicationBuilder(type).web(WebApplicationType.NONE).run(arguments.toArray(String[]::new));
	}

	@Test
	void pathsMatchCallsAndFieldsAreThoseOfHttp() throws InvalidProtocolBufferException {
		try (ConfigurableApplicationContext application = start(Services.class,
				"rules.all=/demo.v1.Greeter/** 2/h per ip"); GrpcProbe client = new GrpcProbe(application)) {
			GrpcProbe.Result first = client.call(GreeterService.HELLO, "bob");
			assertThat(first.status().getCode()).isEqualTo(Status.Code.OK);
			assertThat(first.header("ratelimit-policy")).contains("\"all\";q=2;w=3600");
			assertThat(first.header("x-ratelimit-remaining")).contains("1");
			assertThat(client.codes(2, GreeterService.STREAM)).containsExactly(Status.Code.OK,
					Status.Code.RESOURCE_EXHAUSTED);
			GrpcProbe.Result rejected = client.call(GreeterService.HELLO, "bob");
			assertThat(rejected.status().getDescription()).isEqualTo("Rejected by rate limit all (LIMIT_EXCEEDED)");
			long seconds = Long.parseLong(rejected.trailer("retry-after").orElseThrow());
			assertThat(seconds).isBetween(1790L, 1800L);
			assertThat(rejected.trailer("grpc-retry-pushback-ms")).contains(seconds + "000");
			com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(rejected.status(),
					rejected.trailers().orElseThrow());
			assertThat(details.getDetails(0).unpack(RetryInfo.class).getRetryDelay().getSeconds()).isEqualTo(seconds);
			assertThat(details.getDetails(1).unpack(QuotaFailure.class).getViolations(0).getSubject()).isEqualTo("all");
			assertThat(application.getBean(GreeterService.class).calls).hasValue(1);
		}
	}

	@Test
	void trailersAreThoseOfTheDocumentation() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "how-to", "grpc.md"));
		String documented = page.substring(page.indexOf("grpc-status: 8\n"), page.indexOf("\n```\n\n## Phases"));
		try (ConfigurableApplicationContext application = start(Orders.class);
				GrpcProbe client = new GrpcProbe(application)) {
			GrpcProbe.Result rejected = client.call(OrdersGrpc.getPlaceMethod(), "bread");
			while (rejected.status().isOk()) {
				rejected = client.call(OrdersGrpc.getPlaceMethod(), "bread");
			}
			List<String> sent = new ArrayList<>(List.of("grpc-status: " + rejected.status().getCode().value(),
					"grpc-message: " + rejected.status().getDescription()));
			for (String name : List.of("grpc-retry-pushback-ms", "retry-after", "ratelimit-policy", "ratelimit")) {
				sent.add(name + ": " + rejected.trailer(name).orElseThrow());
			}
			assertThat(documented.lines()).containsExactlyElementsOf(sent);
		}
	}

	@Test
	void theLastOfSeveralHeadersIsTheKeySinceServicesReadItToo() {
		try (ConfigurableApplicationContext application = start(Services.class,
				"rules.all.paths=/demo.v1.Greeter/Hello", "rules.all.key=header:X-Tenant", "rules.all.limit=2/h");
				GrpcProbe client = new GrpcProbe(application)) {
			for (String other : List.of("r1", "r2")) {
				assertThat(client.call(GreeterService.HELLO, "", "x-tenant", other, "x-tenant", "acme").status().isOk())
					.isTrue();
			}
			assertThat(client.call(GreeterService.HELLO, "", "x-tenant", "r3", "x-tenant", "acme").status().getCode())
				.isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(client.call(GreeterService.HELLO, "", "x-tenant", "r3").status().isOk()).isTrue();
		}
	}

	@Test
	void headersAreKeysAndCosts() {
		try (ConfigurableApplicationContext application = start(Services.class,
				"rules.all.paths=/demo.v1.Greeter/Hello", "rules.all.key=header:X-Tenant", "rules.all.limit=10/h",
				"rules.all.cost=header:X-Cost"); GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.call(GreeterService.HELLO, "", "x-tenant", "a", "x-cost", "4")
				.header("x-ratelimit-remaining")).contains("6");
			assertThat(client.call(GreeterService.HELLO, "", "x-tenant", "b").header("x-ratelimit-remaining"))
				.contains("9");
			assertThat(client.call(GreeterService.STREAM, "").header("x-ratelimit-remaining")).isEmpty();
		}
	}

	@Test
	void methodsOfServicesAreAnnotated() {
		try (ConfigurableApplicationContext application = start(Annotated.class);
				GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.codes(3, GreeterService.ANNOTATED)).containsExactly(Status.Code.OK, Status.Code.OK,
					Status.Code.RESOURCE_EXHAUSTED);
			assertThat(client.codes(3, GreeterService.HELLO)).containsOnly(Status.Code.OK);
		}
	}

	@Test
	void aRejectionByABeanBehindTheServiceIsOneOfTheCall() {
		try (ConfigurableApplicationContext application = start(Annotated.class);
				GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.codes(1, GreeterService.HOLD)).containsExactly(Status.Code.OK);
			assertThat(List.of(GreeterService.HOLD, GreeterService.FAIL, GreeterService.UPLOAD))
				.allSatisfy((method) -> {
					GrpcProbe.Result rejected = client.call(method, "");
					assertThat(rejected.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
					assertThat(rejected.trailer("retry-after")).isPresent();
				});
		}
	}

	@Test
	void responsesCorrectCharges() {
		try (ConfigurableApplicationContext application = start(Services.class, "rules.all.paths=/demo.v1.Greeter/**",
				"rules.all.key=ip", "rules.all.limit=3/h", "rules.all.count-only.status=404,5xx");
				GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.codes(5, GreeterService.HELLO)).containsOnly(Status.Code.OK);
			assertThat(client.call(GreeterService.FAIL, "INVALID_ARGUMENT").status().getCode())
				.isEqualTo(Status.Code.INVALID_ARGUMENT);
			assertThat(client.call(GreeterService.FAIL, "NOT_FOUND").status().getCode())
				.isEqualTo(Status.Code.NOT_FOUND);
			assertThat(client.call(GreeterService.FAIL, "throw").status().getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(client.call(GreeterService.FAIL, "INTERNAL").status().getCode()).isEqualTo(Status.Code.INTERNAL);
			assertThat(client.codes(1, GreeterService.HELLO)).containsOnly(Status.Code.RESOURCE_EXHAUSTED);
		}
	}

	@Test
	void slotsAreFreedWhateverEndsTheCall() {
		try (ConfigurableApplicationContext application = start(Services.class, "rules.all.paths=/demo.v1.Greeter/**",
				"rules.all.key=ip", "rules.all.limit=2 concurrent"); GrpcProbe client = new GrpcProbe(application)) {
			GreeterService service = application.getBean(GreeterService.class);
			service.release = new CountDownLatch(1);
			List<CompletableFuture<Status.Code>> held = Stream.generate(
					() -> CompletableFuture.supplyAsync(() -> client.call(GreeterService.HOLD, "").status().getCode()))
				.limit(2)
				.toList();
			Awaitility.await().until(() -> service.calls.get() == 2);
			assertThat(client.codes(1, GreeterService.HELLO)).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
			service.release.countDown();
			assertThat(held).allSatisfy((call) -> assertThat(call.join()).isEqualTo(Status.Code.OK));
			assertThat(client.call(GreeterService.FAIL, "throw").status().getCode()).isEqualTo(Status.Code.UNKNOWN);
			assertThat(client.call(GreeterService.FAIL, "ABORTED").status().getCode()).isEqualTo(Status.Code.ABORTED);
			cancel(client, 1000);
			Awaitility.await()
				.untilAsserted(() -> assertThat(client.call(GreeterService.HELLO, "").header("x-ratelimit-remaining"))
					.contains("1"));
		}
	}

	static void cancel(GrpcProbe client, int times) {
		for (int i = 0; i < times; i++) {
			ClientCall<StringValue, StringValue> call = client.channel()
				.newCall(GreeterService.STREAM, CallOptions.DEFAULT);
			call.start(new ClientCall.Listener<>() {
			}, new Metadata());
			call.request(1);
			call.sendMessage(StringValue.of("bob"));
			if (i % 2 == 0) {
				call.halfClose();
			}
			call.cancel("on purpose", null);
		}
	}

	@Test
	void failedLoginsCountBeforeTheAuthenticationAndUsersAfterIt() {
		try (ConfigurableApplicationContext application = start(Secured.class, "rules.login.paths=/demo.v1.Greeter/**",
				"rules.login.key=ip", "rules.login.limit=3/h", "rules.login.count-only.status=401",
				"rules.user=/demo.v1.Greeter/** 5/h per user"); GrpcProbe client = new GrpcProbe(application)) {
			GrpcProbe.Result first = client.call(GreeterService.HELLO, "", "authorization", BASIC_ALICE);
			assertThat(first.status().getCode()).isEqualTo(Status.Code.OK);
			assertThat(first.header("ratelimit-policy"))
				.hasValueSatisfying((policy) -> assertThat(policy).contains("\"login\";q=3").contains("\"user\";q=5"));
			assertThat(client.codes(4, GreeterService.HELLO, "authorization", BASIC_ALICE))
				.containsOnly(Status.Code.OK);
			GrpcProbe.Result rejected = client.call(GreeterService.HELLO, "", "authorization", BASIC_ALICE);
			assertThat(rejected.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(rejected.trailer("ratelimit-policy")).contains("\"login\";q=3;w=3600, \"user\";q=5;w=3600");
			assertThat(client.codes(3, GreeterService.HELLO, "authorization", BASIC_WRONG))
				.containsOnly(Status.Code.UNAUTHENTICATED);
			assertThat(client.codes(1, GreeterService.HELLO, "authorization", BASIC_WRONG))
				.containsOnly(Status.Code.RESOURCE_EXHAUSTED);
		}
	}

	@Test
	void theFrontCanBeDisabledIfNoMethodIsAnnotated() {
		assertThatException().isThrownBy(() -> start(Annotated.class, "grpc.enabled=false").close())
			.withMessage(
					"@RateLimited on LimitedGreeterService.annotated(): no front evaluates calls of gRPC services");
		try (ConfigurableApplicationContext application = start(Services.class, "grpc.enabled=false",
				"rules.all=/** 1/h per ip"); GrpcProbe client = new GrpcProbe(application)) {
			assertThat(client.codes(3, GreeterService.HELLO)).containsOnly(Status.Code.OK);
			assertThat(application.getBeanNamesForType(GrpcRateLimitInterceptor.class)).isEmpty();
		}
	}

	@Test
	void servicesOfGrpcItselfAreExempt() {
		try (ConfigurableApplicationContext application = start(Services.class, "rules.all=/** 1/h per ip");
				GrpcProbe client = new GrpcProbe(application)) {
			HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(client.channel());
			for (int i = 0; i < 3; i++) {
				assertThat(health.check(HealthCheckRequest.getDefaultInstance()).getStatus())
					.isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
			}
		}
	}

	@Test
	void aCallThatWaitsForItsTurnIsAllowed() {
		try (ConfigurableApplicationContext application = start(Services.class, "rules.all.paths=/demo.v1.Greeter/**",
				"rules.all.key=ip", "rules.all.limit=5/s burst 1", "rules.all.wait=5s",
				"rules.held.paths=/demo.v1.Greeter/Stream", "rules.held.key=ip", "rules.held.limit=10/s burst 5",
				"rules.held.algorithm=leaky-bucket"); GrpcProbe client = new GrpcProbe(application)) {
			long startNanos = System.nanoTime();
			assertThat(client.codes(3, GreeterService.HELLO)).containsOnly(Status.Code.OK);
			assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThan(Duration.ofMillis(350));
			assertThat(client.codes(3, GreeterService.STREAM)).containsOnly(Status.Code.OK);
		}
	}

	@Test
	void aRejectionForLackOfAPlaceNamesTheRuleThatDelaysTheCall() throws InvalidProtocolBufferException {
		try (ConfigurableApplicationContext application = start(Services.class, "rules.all.paths=/demo.v1.Greeter/**",
				"rules.all.key=ip", "rules.all.limit=6/h burst 3", "rules.all.algorithm=leaky-bucket",
				"grpc.max-waiting=0"); GrpcProbe client = new GrpcProbe(application)) {
			client.call(GreeterService.HELLO, "bob");
			GrpcProbe.Result rejected = client.call(GreeterService.HELLO, "bob");
			assertThat(rejected.status().getDescription()).isEqualTo("Rejected by rate limit all (LIMIT_EXCEEDED)");
			com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(rejected.status(),
					rejected.trailers().orElseThrow());
			assertThat(details.getDetails(1).unpack(QuotaFailure.class).getViolations(0).getSubject()).isEqualTo("all");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "rules.all.wait=30s", "rules.all.algorithm=leaky-bucket" })
	void aCallWhoseClientIsGoneDoesNotWait(String waiting) {
		boolean leaky = waiting.endsWith("leaky-bucket");
		try (ConfigurableApplicationContext application = start(Services.class, "rules.all.paths=/demo.v1.Greeter/**",
				"rules.all.key=global", "rules.all.limit=" + ((leaky) ? "6/h burst 3" : "3/min burst 1"),
				"grpc.max-waiting=1", waiting); GrpcProbe client = new GrpcProbe(application)) {
			WaitingPlaces places = application.getBean(GrpcServer.class).threads().places().orElseThrow();
			assertThat(client.codes(1, GreeterService.HELLO)).containsExactly(Status.Code.OK);
			ClientCall<StringValue, StringValue> call = client.begin(GreeterService.HELLO, "bob");
			Awaitility.await().until(() -> !places.hasCapacity("other"));
			call.cancel("gone", null);
			Awaitility.await().until(() -> places.hasCapacity("other"));
			Decision left = application.getBean(RateLimiter.class).acquireBlocking("all", "global", 0);
			assertThat(left.verdicts()).singleElement()
				.satisfies((verdict) -> assertThat(verdict.remaining()).isEqualTo((leaky) ? 1 : 0));
			assertThat(application.getBean(GreeterService.class).calls).hasValue(1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "retry-after, 7, 7, 7", "Retry-After, 'Fri, 20 Nov 2026 12:00:30 GMT', 1740, 1800",
			"Retry-After, 9223372036854775807, 315576000000, 315576000000" })
	void aHandlerOfRejectionsMayWriteAnyWait(String name, String value, long least, long most) {
		try (ConfigurableApplicationContext application = start(Services.class,
				"rules.all=/demo.v1.Greeter/** 2/h per ip"); GrpcProbe client = new GrpcProbe(application)) {
			application.getBean(Services.Rejections.class).header = Map.entry(name, value);
			client.codes(2, GreeterService.HELLO);
			GrpcProbe.Result rejected = client.call(GreeterService.HELLO, "");
			assertThat(rejected.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
			assertThat(rejected.trailer("retry-after")).contains(value);
			assertThat(Long.parseLong(rejected.trailer("grpc-retry-pushback-ms").orElseThrow())).isBetween(least * 1000,
					most * 1000);
		}
	}

	@Test
	void callsWithinTheProcessMeetTheSameGate() {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Services.class)
			.web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.grpc.server.inprocess.name=greeter",
					"--ratelimit.store=memory", "--ratelimit.rules.tenant=/demo.v1.Greeter/** 2/h per header:x-tenant",
					"--ratelimit.rules.ip=/demo.v1.Greeter/Stream 1/h per ip", "--ratelimit.rules.slots.key=global",
					"--ratelimit.rules.slots.paths=/demo.v1.Greeter/Hello",
					"--ratelimit.rules.slots.limit=1 concurrent");
				GrpcProbe client = new GrpcProbe(InProcessChannelBuilder.forName("greeter").build())) {
			assertThat(client.codes(3, GreeterService.HELLO, "x-tenant", "acme")).containsExactly(Status.Code.OK,
					Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
			assertThat(client.codes(1, GreeterService.HELLO, "x-tenant", "other")).containsExactly(Status.Code.OK);
			assertThat(client.codes(2, GreeterService.STREAM, "x-tenant", "third"))
				.as("all clients within the process have no address, and count together")
				.containsExactly(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
			cancel(client, 100);
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(client.call(GreeterService.HELLO, "", "x-tenant", "last").status().getCode())
							.isEqualTo(Status.Code.OK));
			assertThat(application.getBean(GreeterService.class).calls).as("those that were allowed").hasValue(4);
		}
	}

	@Test
	void aClientThatTriesAgainWaitsAsLongAsItIsTold() {
		try (ConfigurableApplicationContext application = start(Services.class,
				"rules.all=/demo.v1.Greeter/** 1/s burst 1 per ip");
				GrpcProbe client = new GrpcProbe(GrpcProbe.network(application)
					.enableRetry()
					.defaultServiceConfig(Map.of("methodConfig", List.of(Map.of("name",
							List.of(Map.of("service", GreeterService.NAME)), "retryPolicy",
							Map.of("maxAttempts", 3.0, "initialBackoff", "0.001s", "maxBackoff", "0.001s",
									"backoffMultiplier", 1.0, "retryableStatusCodes", List.of("RESOURCE_EXHAUSTED"))))))
					.build())) {
			long startNanos = System.nanoTime();
			assertThat(client.codes(1, GreeterService.HELLO)).containsExactly(Status.Code.OK);
			assertThat(client.codes(2, GreeterService.HELLO)).as("each of them after one rejection")
				.containsOnly(Status.Code.OK);
			assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThan(Duration.ofMillis(1500));
			assertThat(application.getBean(GreeterService.class).calls).hasValue(3);
		}
	}

	@Test
	void httpAndGrpcOfOneApplicationMeetOneGate() {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Both.class)
			.web(WebApplicationType.SERVLET)
			.run("--spring.main.banner-mode=off", "--server.port=0", "--spring.grpc.server.port=0",
					"--spring.mvc.servlet.path=/app", "--ratelimit.store=memory",
					"--ratelimit.rules.all=/** 4/h per global");
				GrpcProbe client = new GrpcProbe(application)) {
			HttpProbe http = new HttpProbe(
					application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			assertThat(client.codes(3, GreeterService.ANNOTATED)).containsExactly(Status.Code.OK, Status.Code.OK,
					Status.Code.RESOURCE_EXHAUSTED);
			assertThat(http.statuses(3, "GET", "/app/other")).containsExactly(404, 404, 503);
		}
	}

	@Test
	void requestsOverHttpDoNotChargeTheMethodsOfServices() {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Both.class)
			.web(WebApplicationType.SERVLET)
			.run("--spring.main.banner-mode=off", "--server.port=0", "--spring.grpc.server.port=0",
					"--ratelimit.store=memory");
				GrpcProbe client = new GrpcProbe(application)) {
			HttpProbe http = new HttpProbe(
					application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			assertThat(http.statuses(3, "POST", "/" + GreeterService.ANNOTATED.getFullMethodName())).containsOnly(404);
			assertThat(client.codes(3, GreeterService.ANNOTATED)).containsExactly(Status.Code.OK, Status.Code.OK,
					Status.Code.RESOURCE_EXHAUSTED);
		}
	}

	@Test
	void aBlockedClientIsDenied() {
		try (ConfigurableApplicationContext application = start(Services.class, "rules.all=/** 5/h per ip",
				"deny=127.0.0.0/8"); GrpcProbe client = new GrpcProbe(application)) {
			GrpcProbe.Result denied = client.call(GreeterService.HELLO, "");
			assertThat(denied.status().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
			assertThat(denied.trailer("grpc-retry-pushback-ms")).contains("-1");
			assertThat(Optional.ofNullable(denied.trailers()
				.orElseThrow()
				.get(Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER)))).isEmpty();
		}
	}

	/** An application with a service and without a web server. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Services {

		@Bean
		GreeterService greeter() {
			return new GreeterService();
		}

		@Bean
		Rejections rejections() {
			return new Rejections();
		}

		/** Adds a header to rejections if a test has set one. */
		static class Rejections implements RateLimitRejectionHandler {

			volatile Map.Entry<String, String> header = Map.entry("X-Test", "");

			@Override
			public Rejection handle(Rejection rejection, RequestView request) {
				return rejection.withHeader(this.header.getKey(), this.header.getValue());
			}

		}

	}

	/** A bean that a service calls. */
	public static class Mailer {

		@RateLimited(value = "1/h", key = "global", status = 429)
		public void send() {
		}

	}

	/** An application with an annotated service method. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Annotated {

		@Bean
		LimitedGreeterService greeter(Mailer mailer) {
			return new LimitedGreeterService(mailer::send);
		}

		@Bean
		Mailer mailer() {
			return new Mailer();
		}

	}

	/** An application with a gRPC service and a web security configuration. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Both {

		@Bean
		LimitedGreeterService greeter() {
			return new LimitedGreeterService(() -> {
			});
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

	}

	/** An application with the service of the documentation. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Orders {

		@Bean
		OrdersService orders() {
			return new OrdersService();
		}

	}

	/** The service of the documentation. */
	static class OrdersService extends OrdersGrpc.OrdersImplBase {

		@Override
		@RateLimited(id = "place", value = "5/s", key = "ip")
		public void place(StringValue article, StreamObserver<StringValue> response) {
			response.onNext(StringValue.of("order of " + article.getValue()));
			response.onCompleted();
		}

	}

	/** An application with a service and password authentication. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Secured {

		@Bean
		GreeterService greeter() {
			return new GreeterService();
		}

		@Bean
		UserDetailsService users() {
			return (name) -> User.withUsername(name).password("{noop}secret").authorities("USER").build();
		}

		@Bean
		@GlobalServerInterceptor
		AuthenticationProcessInterceptor authentication(GrpcSecurity grpc) throws Exception {
			return grpc.authorizeRequests((requests) -> requests.allRequests().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

}
