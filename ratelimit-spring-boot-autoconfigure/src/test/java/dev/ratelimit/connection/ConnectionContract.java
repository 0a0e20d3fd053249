package dev.ratelimit.connection;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Connections of a real client to a real server, where a client may have five.
 */
interface ConnectionContract {

	HttpClient CLIENT = HttpClient.newHttpClient();

	int LIMIT = 5;

	int port();

	/**
	 * Another one for each test.
	 */
	String client();

	default List<String> paths() {
		return List.of("/ws/echo");
	}

	List<WebSocket> opened();

	@AfterEach
	default void abort() {
		opened().forEach(WebSocket::abort);
		opened().clear();
	}

	default WebSocket open(String path) {
		WebSocket socket = CLIENT.newWebSocketBuilder()
			.header("X-Client", client() + path)
			.buildAsync(URI.create("ws://localhost:" + port() + path), new WebSocket.Listener() {
			})
			.join();
		opened().add(socket);
		return socket;
	}

	default int status(String path) {
		try {
			open(path);
			return 101;
		}
		catch (CompletionException ex) {
			assertThat(ex).hasCauseInstanceOf(WebSocketHandshakeException.class);
			return ((WebSocketHandshakeException) ex.getCause()).getResponse().statusCode();
		}
	}

	private void untilAdmitted(String path) {
		await().atMost(Duration.ofSeconds(5)).until(() -> status(path) == 101);
	}

	@Test
	default void asManyConnectionsAsTheLimitAndOneMoreWhenOneIsClosed() {
		for (String path : paths()) {
			List<WebSocket> sockets = new ArrayList<>();
			for (int i = 0; i < LIMIT; i++) {
				sockets.add(open(path));
			}
			assertThat(status(path)).isEqualTo(429);
			assertThat(status(path)).isEqualTo(429);
			sockets.get(0).sendClose(WebSocket.NORMAL_CLOSURE, "").join();
			untilAdmitted(path);
			assertThat(status(path)).isEqualTo(429);
		}
	}

	@Test
	default void aClientThatIsGoneWithoutACloseFreesItsSlot() {
		for (String path : paths()) {
			for (int i = 0; i < LIMIT; i++) {
				open(path);
			}
			assertThat(status(path)).isEqualTo(429);
			opened().remove(opened().size() - 1).abort();
			untilAdmitted(path);
		}
	}

	@Test
	default void aServerThatClosesFreesTheSlot() {
		String path = "/ws/echo";
		for (int i = 0; i < LIMIT; i++) {
			open(path);
		}
		assertThat(status(path)).isEqualTo(429);
		opened().get(0).sendText("close", true).join();
		untilAdmitted(path);
	}

	private int get(String path) {
		return send(path).join();
	}

	private CompletableFuture<Integer> send(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
			.header("X-Client", client())
			.build();
		return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(HttpResponse::statusCode);
	}

	@Test
	default void aLongPollKeepsItsSlotForLongerThanTheLease() throws InterruptedException {
		CompletableFuture<Integer> waiting = send("/events");
		await().until(() -> {
			CompletableFuture<Integer> second = send("/events");
			Thread.sleep(50);
			return second.isDone() && second.join() == 429;
		});
		// The lease is 2 s.
		Thread.sleep(3000);
		assertThat(get("/events")).isEqualTo(429);
		get("/publish");
		assertThat(waiting.join()).isEqualTo(200);
		CompletableFuture<Integer> next = send("/events");
		assertThat(next.isCompletedExceptionally()).isFalse();
		await().until(() -> {
			get("/publish");
			return next.isDone();
		});
		assertThat(next.join()).isEqualTo(200);
	}

	@Test
	default void aHandshakeThatFailsHoldsNothing() {
		for (int i = 0; i < 2 * LIMIT; i++) {
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> open("/ws/broken"));
		}
		assertThat(status("/ws/broken")).isNotEqualTo(429);
	}

}
