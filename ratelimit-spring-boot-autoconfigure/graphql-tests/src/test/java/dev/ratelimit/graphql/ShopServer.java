package dev.ratelimit.graphql;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The shop on a real server.
 */
final class ShopServer implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final JsonMapper JSON = new JsonMapper();

	private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(LIMIT).build();

	private final ConfigurableApplicationContext context;

	private final List<Socket> sockets = new ArrayList<>();

	private ShopServer(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static ShopServer start(WebApplicationType stack, List<Class<?>> further, String... properties) {
		List<String> all = new ArrayList<>(List.of("server.port=0", "ratelimit.headers.format=legacy",
				"ratelimit.headers.retry-after-jitter=0s", "spring.graphql.websocket.path=/graphql"));
		if (Arrays.stream(properties).noneMatch((property) -> property.startsWith("ratelimit.store"))) {
			all.add("ratelimit.store=memory");
		}
		all.addAll(List.of(properties));
		List<Class<?>> sources = new ArrayList<>(further);
		sources.add((stack == WebApplicationType.SERVLET) ? Shop.Servlet.class : Shop.Reactive.class);
		return new ShopServer(new SpringApplicationBuilder(sources.toArray(Class[]::new)).web(stack)
			.properties(all.toArray(String[]::new))
			.run());
	}

	Shop.Resolvers resolvers() {
		return this.context.getBean(Shop.Resolvers.class);
	}

	private String authority() {
		return "localhost:" + ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	Reply query(String user, String query) {
		return query(user, query, Map.of(), Map.of());
	}

	Reply query(String user, String query, Map<String, Object> variables, Map<String, String> headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + authority() + "/graphql"))
			.timeout(LIMIT)
			.header("Content-Type", "application/json")
			.header("Accept", "application/json")
			.POST(HttpRequest.BodyPublishers
				.ofString(JSON.writeValueAsString(Map.of("query", query, "variables", variables))));
		basic(user).ifPresent((value) -> request.header("Authorization", value));
		headers.forEach(request::header);
		try {
			HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
			return new Reply(response, JSON.readTree(response.body()));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static Optional<String> basic(String user) {
		return (user.isEmpty()) ? Optional.empty() : Optional
			.of("Basic " + Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8)));
	}

	Socket open(String user) {
		WebSocket.Builder builder = CLIENT.newWebSocketBuilder()
			.connectTimeout(LIMIT)
			.subprotocols("graphql-transport-ws");
		basic(user).ifPresent((value) -> builder.header("Authorization", value));
		Socket socket = new Socket();
		socket.socket = builder.buildAsync(URI.create("ws://" + authority() + "/graphql"), socket).join();
		this.sockets.add(socket);
		socket.awaitPong();
		socket.send("{\"type\":\"connection_init\"}");
		socket.next();
		return socket;
	}

	@Override
	public void close() {
		// Otherwise, the server would wait half a minute for open connections.
		this.sockets.forEach((socket) -> socket.socket.abort());
		this.context.close();
	}

	/**
	 * A response.
	 *
	 * @param response the response
	 * @param body the body of the response
	 */
	record Reply(HttpResponse<String> response, JsonNode body) {

		boolean allowed() {
			return this.body.hasNonNull("data");
		}

		String code() {
			return this.body.path("errors").path(0).path("extensions").path("code").asString();
		}

		long remaining() {
			return Long.parseLong(header("X-RateLimit-Remaining").orElseThrow());
		}

		Optional<String> header(String name) {
			return this.response.headers().firstValue(name);
		}

	}

	/**
	 * A connection of a client with the protocol graphql-transport-ws.
	 */
	static final class Socket implements WebSocket.Listener {

		private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();

		private final CountDownLatch pong = new CountDownLatch(1);

		private final StringBuilder text = new StringBuilder();

		private WebSocket socket;

		@Override
		public CompletionStage<?> onText(WebSocket source, CharSequence data, boolean last) {
			this.text.append(data);
			if (last) {
				this.messages.add(JSON.readTree(this.text.toString()));
				this.text.setLength(0);
			}
			source.request(1);
			return null;
		}

		@Override
		public CompletionStage<?> onPong(WebSocket source, ByteBuffer data) {
			this.pong.countDown();
			source.request(1);
			return null;
		}

		// On Reactor Netty, a message that arrives with the handshake is sometimes lost,
		// even without the limiter: 2 of 31 on a busy machine.
		private void awaitPong() {
			try {
				long beginNanos = System.nanoTime();
				do {
					if (System.nanoTime() - beginNanos > LIMIT.toNanos()) {
						throw new IllegalStateException("no pong");
					}
					this.socket.sendPing(ByteBuffer.allocate(0)).join();
				}
				while (!this.pong.await(50, TimeUnit.MILLISECONDS));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
		}

		void send(String message) {
			this.socket.sendText(message, true).join();
		}

		JsonNode next() {
			try {
				JsonNode next = this.messages.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
				if (next == null) {
					throw new IllegalStateException("no message");
				}
				return next;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
		}

		JsonNode query(String id, String query) {
			send(JSON.writeValueAsString(Map.of("id", id, "type", "subscribe", "payload", Map.of("query", query))));
			return next();
		}

	}

}
