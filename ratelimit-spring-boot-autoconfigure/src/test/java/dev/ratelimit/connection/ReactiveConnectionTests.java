package dev.ratelimit.connection;

import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.WebHandler;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class ReactiveConnectionTests implements ConnectionContract {

	private static ConfigurableApplicationContext application;

	private final String client = UUID.randomUUID().toString();

	private final List<WebSocket> opened = new ArrayList<>();

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.REACTIVE)
			.run(EventsContract.rules("--ratelimit.rules.ws.paths=/ws/**", "--ratelimit.rules.ws.key=header:X-Client",
					"--ratelimit.rules.ws.algorithm=concurrency", "--ratelimit.rules.ws.limit=5",
					"--ratelimit.rules.ws.hold=connection"));
	}

	@AfterAll
	static void stop() {
		application.close();
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

	@Test
	void aClientThatIsGoneFreesItsSlotThoughNothingReadsOrWrites() {
		String path = "/ws/silent";
		for (int i = 0; i < LIMIT; i++) {
			open(path);
		}
		assertThat(status(path)).isEqualTo(429);
		opened().remove(opened().size() - 1).abort();
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> status(path) == 101);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Events.class)
	static class Application {

		@Bean
		MovedTime time() {
			return new MovedTime();
		}

		@Bean
		NettyReactiveWebServerFactory netty() {
			return new NettyReactiveWebServerFactory();
		}

		@Bean
		SecurityWebFilterChain open(ServerHttpSecurity http) {
			return http.build();
		}

		@Bean
		HandlerMapping sockets() {
			WebSocketHandler echo = (session) -> session.receive()
				.takeUntil((message) -> message.getPayloadAsText().equals("close"))
				.then(session.close());
			WebHandler broken = (exchange) -> Mono.error(new ResponseStatusException(HttpStatus.BAD_REQUEST));
			WebSocketHandler silent = (session) -> Mono.never();
			return new SimpleUrlHandlerMapping(Map.of("/ws/echo", echo, "/ws/broken", broken, "/ws/silent", silent),
					-1);
		}

	}

}
