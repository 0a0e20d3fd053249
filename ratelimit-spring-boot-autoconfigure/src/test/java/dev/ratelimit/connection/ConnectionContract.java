package dev.ratelimit.connection;

import java.net.URI;
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
 * Tests connections of a real client to a real server with a limit of five per client.
 */
interface ConnectionContract extends EventsContract {

	int LIMIT = 5;

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
		WebSocket socket = open(path, new WebSocket.Listener() {
		});
		opened().add(socket);
		return socket;
	}

	private WebSocket open(String path, WebSocket.Listener listener) {
		return CLIENT.newWebSocketBuilder()
			.header("X-Client", client() + path)
			.buildAsync(URI.create("ws://localhost:" + port() + path), listener)
			.join();
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

	private void untilAllowed(String path) {
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
			untilAllowed(path);
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
			untilAllowed(path);
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
		untilAllowed(path);
	}

	@Test
	default void aConnectionIsClosedAfterItsMaximum() {
		Closing closing = new Closing();
		opened().add(open("/ws/echo", closing));
		// The duration of the connection starts slightly after the slot is taken.
		await().until(() -> {
			time().advance(Duration.ofHours(25));
			application().getBean(ConnectionSlots.class).round();
			return closing.code().isDone();
		});
		assertThat(closing.code().join()).isEqualTo(1001);
		await().until(() -> held("ws") == 0);
	}

	@Test
	default void aHandshakeThatFailsHoldsNothing() {
		for (int i = 0; i < 2 * LIMIT; i++) {
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> open("/ws/broken"));
		}
		assertThat(status("/ws/broken")).isNotEqualTo(429);
	}

	/**
	 * Records the close status of its connection.
	 *
	 * @param code the status
	 */
	record Closing(CompletableFuture<Integer> code) implements WebSocket.Listener {

		Closing() {
			this(new CompletableFuture<>());
		}

		@Override
		public CompletableFuture<?> onClose(WebSocket socket, int status, String reason) {
			this.code.complete(status);
			return CompletableFuture.completedFuture(null);
		}

	}

}
