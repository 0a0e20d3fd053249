package dev.ratelimit.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.bean.override.convention.TestBean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the examples on the page and in the README for the profile {@code protect}.
 */
@ActiveProfiles("protect")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "ratelimit.deadline=20s")
abstract class ProtectContract {

	private static final int SEATS = 4;

	private static final int OTHERS = 8;

	private static ExecutorService clients;

	private static CompletableFuture<String> released;

	/** Holds its requests until the test releases them. */
	@TestBean(methodName = "held")
	private HeavyController controller;

	@LocalServerPort
	private int port;

	@BeforeAll
	static void startClients() {
		released = new CompletableFuture<>();
		clients = Executors.newFixedThreadPool(SEATS + OTHERS);
	}

	@AfterAll
	static void stopClients() {
		released.complete("Stopped.\n");
		clients.shutdownNow();
	}

	static HeavyController held() {
		return new HeavyController() {

			@Override
			Mono<String> heavy() {
				return Mono.fromFuture(released, true);
			}

		};
	}

	@Test
	void fiveWrongLoginsBan() {
		assertThat(IntStream.range(0, 5).mapToObj((i) -> login("wrong").statusCode())).containsOnly(401);
		// The strike may come after the response. A login with the right password is no
		// strike.
		soon().untilAsserted(() -> assertThat(login("alice").statusCode()).isEqualTo(403));
		Reply banned = login("alice");
		assertThat(banned.statusCode()).isEqualTo(403);
		assertThat(Integer.parseInt(banned.header("Retry-After"))).isBetween(1, 60);
		assertThat(http().get("/api/hello").statusCode()).isEqualTo(200);
	}

	@Test
	void heavyRequestsWithoutASeatAreShed() {
		// A response may arrive before its seat is free.
		soon().untilAsserted(() -> assertThat(inFlight()).contains("\"value\":0.0"));
		List<CompletableFuture<Reply>> seated = heavy(SEATS);
		soon().untilAsserted(() -> assertThat(inFlight()).contains("\"value\":" + SEATS + ".0"));
		List<Reply> others = heavy(OTHERS).stream().map(CompletableFuture::join).toList();
		assertThat(seated).as("still under way").noneMatch(CompletableFuture::isDone);
		released.complete("Done.\n");
		assertThat(others).allSatisfy((reply) -> {
			assertThat(reply.statusCode()).isEqualTo(503);
			assertThat(Integer.parseInt(reply.header("Retry-After"))).isBetween(1, 5);
		});
		assertThat(seated).allSatisfy((reply) -> assertThat(reply.join().statusCode()).isEqualTo(200));
	}

	@Test
	void anAddressHasThreeConnections() {
		assertThat(http().get("/sockets.html").body()).contains("/ws/echo");
		List<WebSocket> sockets = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			sockets.add(open().join());
		}
		assertThat(rejected()).isEqualTo(429);
		sockets.get(0).sendClose(WebSocket.NORMAL_CLOSURE, "").join();
		soon().ignoreExceptions().until(() -> sockets.add(open().join()));
		assertThat(rejected()).isEqualTo(429);
		sockets.forEach(WebSocket::abort);
	}

	private CompletableFuture<WebSocket> open() {
		return HttpClient.newHttpClient()
			.newWebSocketBuilder()
			.buildAsync(URI.create("ws://localhost:" + this.port + "/ws/echo"), new WebSocket.Listener() {
			});
	}

	private int rejected() {
		return open().handle((socket, failure) -> {
			Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
			return ((WebSocketHandshakeException) cause).getResponse().statusCode();
		}).join();
	}

	private List<CompletableFuture<Reply>> heavy(int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> http().get("/api/heavy"), clients))
			.toList();
	}

	private String inFlight() {
		return http().get("/actuator/metrics/ratelimit.load.inflight?tag=level:normal").body();
	}

	private Reply login(String password) {
		String form = "username=alice&password=" + password;
		return http().send("POST", "/api/login", form,
				new String[] { "Content-Type", "application/x-www-form-urlencoded" });
	}

	private HttpProbe http() {
		return new HttpProbe(this.port);
	}

	private static ConditionFactory soon() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20));
	}

}
