package dev.ratelimit.connection;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.store.hold.HeldLimitStore;
import dev.ratelimit.store.hold.HoldingStatus;
import dev.ratelimit.store.hold.Rounds;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests long polls and events of a real server with a real client.
 */
interface EventsContract {

	HttpClient CLIENT = HttpClient.newHttpClient();

	ConfigurableApplicationContext application();

	/**
	 * Return a client name that is unique for each test.
	 */
	String client();

	static String[] rules(String... more) {
		return Stream.concat(Stream.of("--server.port=0", "--ratelimit.store=memory",
				"--ratelimit.rules.events.paths=/events", "--ratelimit.rules.events.key=header:X-Client",
				"--ratelimit.rules.events.algorithm=concurrency", "--ratelimit.rules.events.limit=1",
				"--ratelimit.rules.events.lease=3s", "--ratelimit.rules.brief.paths=/brief/**",
				"--ratelimit.rules.brief.key=header:X-Client", "--ratelimit.rules.brief.algorithm=concurrency",
				"--ratelimit.rules.brief.limit=2", "--ratelimit.rules.brief.max-hold=1s"), Stream.of(more))
			.toArray(String[]::new);
	}

	default int port() {
		return application().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	default MovedTime time() {
		return application().getBean(MovedTime.class);
	}

	default long held(String rule) {
		return application().getBean(HoldingStatus.class).held(rule);
	}

	private HeldLimitStore slots() {
		HeldLimitStore slots = ReflectionTestUtils.invokeMethod(application().getBean("rateLimitMemoryStore"), "slots");
		assertThat(slots).isNotNull();
		return slots;
	}

	private CompletableFuture<HttpResponse<String>> send(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
			.header("X-Client", client())
			.build();
		return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString()).orTimeout(10, TimeUnit.SECONDS);
	}

	private int status(String path) {
		return send(path).join().statusCode();
	}

	@Test
	default void aLongPollKeepsItsSlotForLongerThanTheLease() {
		Events events = application().getBean(Events.class);
		int before = events.arrived();
		CompletableFuture<HttpResponse<String>> waiting = send("/events");
		await().until(() -> events.arrived() > before);
		// The lease lasts 3 s.
		for (int i = 0; i < 3; i++) {
			time().advance(Duration.ofSeconds(2));
			Rounds.run(slots());
		}
		assertThat(status("/events")).isEqualTo(429);
		status("/publish");
		assertThat(waiting.join().statusCode()).isEqualTo(200);
		await().until(() -> held("events") == 0);
	}

	@Test
	default void aResponseThatTakesTooLongIsEnded() {
		CompletableFuture<HttpResponse<String>> stream = send("/brief/stream");
		CompletableFuture<HttpResponse<String>> poll = send("/brief/poll");
		assertThat(stream.join().statusCode()).isEqualTo(200);
		assertThat(stream.join().body()).isEqualTo("data:first\n\n");
		assertThat(poll.join().statusCode()).isEqualTo(503);
		await().until(() -> held("brief") == 0);
	}

}
