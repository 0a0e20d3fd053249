package dev.ratelimit.connection;

import java.net.URI;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("long")
class ServletConnectionTests implements ConnectionContract {

	private static final String[] RULES = EventsContract.rules("--ratelimit.rules.ws.paths=/ws/**",
			"--ratelimit.rules.ws.key=header:X-Client", "--ratelimit.rules.ws.algorithm=concurrency",
			"--ratelimit.rules.ws.limit=5", "--ratelimit.rules.ws.hold=connection");

	private static ConfigurableApplicationContext application;

	private final String client = UUID.randomUUID().toString();

	private final List<WebSocket> opened = new ArrayList<>();

	@BeforeAll
	static void start() {
		application = start(Application.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	private static ConfigurableApplicationContext start(Class<?> configuration, String... more) {
		return new SpringApplicationBuilder(configuration).web(WebApplicationType.SERVLET)
			.run(Stream.concat(Stream.of(RULES), Stream.of(more)).toArray(String[]::new));
	}

	@Override
	public ConfigurableApplicationContext application() {
		return application;
	}

	@Override
	public List<WebSocket> opened() {
		return this.opened;
	}

	@Override
	public String client() {
		return this.client;
	}

	@Override
	public List<String> paths() {
		return List.of("/ws/echo", "/ws/stomp", "/ws/sock/websocket", "/ws/stomp-sock/websocket");
	}

	@Test
	void aHandlerThatIsNotWrappedFailsTheStart() {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> start(Unwrapped.class).close())
			.withStackTraceContaining(
					"the WebSocket handler of '/ws/echo' does not report when its connections are closed");
	}

	@Test
	void aHandlerThatIsNotWrappedFailsTheStartAlsoIfBeansAreLazy() {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> start(Unwrapped.class, "--spring.main.lazy-initialization=true").close())
			.withStackTraceContaining(
					"the WebSocket handler of '/ws/echo' does not report when its connections are closed");
	}

	@Test
	void aHandlerNeedNotBeWrappedIfNoRuleReachesIt() {
		start(Elsewhere.class).close();
		start(Unwrapped.class, "--ratelimit.rules.ws.except-paths=/ws/echo").close();
	}

	@Test
	void aSessionOfSockJsHoldsASlotUntilItIsClosed() {
		List<WebSocket> sockets = new ArrayList<>();
		for (int i = 0; i < LIMIT; i++) {
			sockets.add(sockJs());
		}
		assertThatExceptionOfType(CompletionException.class).isThrownBy(this::sockJs);
		sockets.get(0).sendClose(WebSocket.NORMAL_CLOSURE, "").join();
		Awaitility.await().ignoreExceptionsInstanceOf(CompletionException.class).until(() -> sockJs() != null);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(this::sockJs);
	}

	// A client chooses the id of its session.
	@Test
	void connectionsOfOneSessionOfSockJsShareNoSlot() {
		String id = UUID.randomUUID().toString();
		CompletableFuture<CharSequence> opened = new CompletableFuture<>();
		WebSocket first = sockJs(id, new WebSocket.Listener() {

			@Override
			public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence frame, boolean last) {
				socket.request(1);
				opened.complete(frame);
				return null;
			}

		});
		// The server responds to a handshake before it has initialized the session.
		assertThat(opened.join()).hasToString("o");
		WebSocket second = sockJs(id, new WebSocket.Listener() {
		});
		Awaitility.await().until(() -> first.isInputClosed() && second.isInputClosed());
		for (int i = 0; i < LIMIT; i++) {
			Awaitility.await().ignoreExceptionsInstanceOf(CompletionException.class).until(() -> sockJs() != null);
		}
		assertThatExceptionOfType(CompletionException.class).isThrownBy(this::sockJs);
	}

	private WebSocket sockJs() {
		return sockJs(UUID.randomUUID().toString(), new WebSocket.Listener() {
		});
	}

	private WebSocket sockJs(String id, WebSocket.Listener listener) {
		WebSocket socket = CLIENT.newWebSocketBuilder()
			.header("X-Client", this.client)
			.buildAsync(URI.create("ws://localhost:" + port() + "/ws/sock/000/" + id + "/websocket"), listener)
			.join();
		this.opened.add(socket);
		return socket;
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Events.class)
	@EnableWebSocket
	@EnableWebSocketMessageBroker
	static class Application implements WebSocketConfigurer, WebSocketMessageBrokerConfigurer {

		@Bean
		MovedTime time() {
			return new MovedTime();
		}

		@Bean
		SecurityFilterChain open(HttpSecurity http) {
			return http.build();
		}

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(LimitedWebSocketHandler.of(new Echo()), "/ws/echo");
			registry.addHandler(LimitedWebSocketHandler.of(new Echo()), "/ws/sock").withSockJS();
			registry.addHandler(LimitedWebSocketHandler.of(new Echo()), "/ws/broken")
				.setHandshakeHandler((request, response, handler, attributes) -> {
					response.setStatusCode(HttpStatus.BAD_REQUEST);
					return false;
				});
		}

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/ws/stomp");
			registry.addEndpoint("/ws/stomp-sock").withSockJS();
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/topic");
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Events.class)
	@EnableWebSocket
	static class Unwrapped implements WebSocketConfigurer {

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Echo(), "/ws/echo");
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Events.class)
	@EnableWebSocket
	static class Elsewhere implements WebSocketConfigurer {

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Echo(), "/graphql");
		}

	}

	private static final class Echo extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			if (message.getPayload().equals("close")) {
				session.close();
			}
			else {
				session.sendMessage(message);
			}
		}

	}

}
