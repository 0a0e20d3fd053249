package dev.ratelimit.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.RateLimited;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests persistent connections whose requests are partly rejected and partly handled by
 * other threads. Handlers never respond while the request is being read, because Reactor
 * Netty before 1.3.8 may then stop reading the connection, even without the limiter.
 */
@Tag("long")
@Tag("nightly")
@RedisTest
class KeepAliveTests {

	/** The number of requests. Lower values shorten the test. */
	private static final int MANY = Integer.getInteger("test.keepalive.requests", 16_800);

	private static final int LIMIT = 20;

	private static final List<String> HANDLERS = List.of("/parallel", "/elastic", "/delay");

	private static final String[] RULES = { "--ratelimit.rules.admitted.limit=1000000/d",
			"--ratelimit.rules.admitted.paths=" + String.join(",", HANDLERS),
			"--ratelimit.rules.rejected.paths=/rejected", "--ratelimit.rules.rejected.limit=" + LIMIT + "/d",
			"--ratelimit.rules.delayed.paths=/thread", "--ratelimit.rules.delayed.limit=1/s",
			"--ratelimit.rules.delayed.burst=5", "--ratelimit.rules.delayed.algorithm=leaky-bucket" };

	@ParameterizedTest
	@ValueSource(strings = { "GET", "POST" })
	void aRejectionBehindASlowResponseLeavesTheConnectionOpen(String method) throws IOException {
		assertStaysOpen(request(method, "/rejected"), 429);
	}

	@Test
	void aRejectionByAMethodLeavesTheConnectionOpen() throws IOException {
		assertStaysOpen(request("GET", "/method"), 503);
	}

	// Requests queue up only if other threads respond.
	@Test
	void aRequestThatWasDelayedGoesOnOnItsEventLoop() throws IOException {
		try (Instance instance = start(Counting.MEMORY); HttpCaller http = new HttpCaller(instance.port())) {
			String delayed = request("GET", "/thread");
			assertThat(http.pipeline(delayed, delayed)).containsExactly(200, 200);
		}
	}

	// The second request waits in the server until the first response.
	private static void assertStaysOpen(String rejected, int status) throws IOException {
		try (Instance instance = start(Counting.MEMORY); HttpCaller http = new HttpCaller(instance.port())) {
			for (int i = 0; i < LIMIT; i++) {
				assertThat(http.pipeline(rejected)).doesNotContain(status);
			}
			assertThat(http.pipeline(request("GET", "/delay"), rejected)).containsExactly(200, status);
			assertThat(http.pipeline(rejected)).containsExactly(status);
		}
	}

	@ParameterizedTest
	@EnumSource
	void noConnectionIsForgotten(Counting counting) throws InterruptedException {
		assertNoneForgotten(counting, 1_600);
	}

	@ParameterizedTest
	@EnumSource
	void noConnectionIsForgottenForLong(Counting counting) throws InterruptedException {
		assertNoneForgotten(counting, MANY);
	}

	private static void assertNoneForgotten(Counting counting, int total) throws InterruptedException {
		try (Instance instance = start(counting)) {
			EagerClients callers = EagerClients.call(instance.port(), total, load());
			System.out.println("Kept alive, " + counting + ": " + callers);
			assertThat(callers.hung()).isZero();
			assertThat(callers.failed()).isZero();
			assertThat(callers.answers()).isEqualTo(total);
			assertThat(callers.answers(200) + callers.answers(429)).isEqualTo(total);
		}
	}

	// Measures the server without the limiter.
	@Test
	void theSameLoadWithoutTheLimiter() throws InterruptedException {
		try (Instance instance = start(Counting.MEMORY, "--ratelimit.enabled=false")) {
			EagerClients callers = EagerClients.call(instance.port(), MANY, load());
			System.out.println("Kept alive, without the limiter: " + callers);
			assertThat(callers.answers(429)).isZero();
		}
	}

	private static Instance start(Counting counting, String... more) {
		return Instance.start(WebApplicationType.REACTIVE, SlowApplication.class,
				Stream.of(RULES, counting.arguments(), more).flatMap(Stream::of).toArray(String[]::new));
	}

	private static List<String> load() {
		return HANDLERS.stream()
			.flatMap((path) -> Stream.of(request("GET", path), request("GET", "/rejected"), request("POST", path),
					request("POST", "/rejected")))
			.toList();
	}

	private static String request(String method, String path) {
		String body = (method.equals("POST")) ? "Content-Length: 5\r\n\r\nhello" : "\r\n";
		return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Caller: eager\r\n" + body;
	}

	enum Counting {

		MEMORY, STRICT, LEASED;

		String[] arguments() {
			return switch (this) {
				case MEMORY -> new String[0];
				case STRICT -> Instance.redis(TestRedis.shared().host(), TestRedis.shared().port());
				case LEASED ->
					Stream.concat(Stream.of(STRICT.arguments()), Stream.of("--ratelimit.defaults.consistency=leased"))
						.toArray(String[]::new);
			};
		}

	}

	/**
	 * An application whose handlers respond from other threads.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import({ FaultApplication.class, Slow.class, Limited.class })
	static class SlowApplication {

	}

	@RestController
	static class Slow {

		private final Limited limited;

		Slow(Limited limited) {
			this.limited = limited;
		}

		@RequestMapping("/parallel")
		Mono<String> parallel(@RequestBody(required = false) Mono<String> body) {
			return body.then(Mono.fromCallable(() -> "ok").subscribeOn(Schedulers.parallel()));
		}

		@RequestMapping({ "/elastic", "/rejected" })
		Mono<String> elastic(@RequestBody(required = false) Mono<String> body) {
			return body.then(Mono.fromCallable(() -> "ok").subscribeOn(Schedulers.boundedElastic()));
		}

		@RequestMapping("/delay")
		Mono<String> delay(@RequestBody(required = false) Mono<String> body) {
			return body.then(Mono.delay(Duration.ofMillis(1)).thenReturn("ok"));
		}

		@RequestMapping("/thread")
		ResponseEntity<String> thread() {
			// The prefix of the name depends on the owner of the event loops.
			return ResponseEntity.status((Thread.currentThread().getName().contains("-http-")) ? 200 : 500).body("ok");
		}

		@RequestMapping("/method")
		Mono<String> method() {
			return this.limited.call();
		}

	}

	@Service
	static class Limited {

		@RateLimited(value = LIMIT + "/d", key = "global")
		Mono<String> call() {
			return Mono.fromCallable(() -> "ok").subscribeOn(Schedulers.parallel());
		}

	}

}
