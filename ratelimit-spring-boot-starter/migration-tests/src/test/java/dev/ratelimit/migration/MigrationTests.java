package dev.ratelimit.migration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;

import com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider;
import com.sun.net.httpserver.HttpServer;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import redis.embedded.RedisServer;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that both examples of each pair limit in the same way: the same number of
 * requests, for the same clients, at the same paths.
 */
class MigrationTests {

	private static final String ALICE = "alice";

	private static final String BOB = "bob";

	private static final Map<String, String> ADDRESSES = Map.of(ALICE, "127.0.0.1", BOB, "127.0.0.2");

	private static final String SEARCH = "/api/search/books";

	private static final String GATEWAY_ON_REDIS = "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration";

	private static final Map<String, String> WITHOUT_OTHERS = Map.of("bucket4j.enabled", "false",
			"spring.cloud.gateway.server.webflux.enabled", "false", "spring.autoconfigure.exclude", GATEWAY_ON_REDIS);

	private static final Map<String, String> WITHOUT_GATEWAY = Map.of("spring.cloud.gateway.server.webflux.enabled",
			"false", "spring.autoconfigure.exclude", GATEWAY_ON_REDIS);

	/**
	 * The statuses of rejections: by a limit of the client, or by a limit of the service.
	 */
	private static final Set<Integer> REJECTED = Set.of(429, 503);

	private static final Duration LONGEST = Duration.ofSeconds(60);

	private static final Duration MILLISECOND = Duration.ofMillis(1);

	/**
	 * The script of the gateway reads the time of Redis in whole seconds: a bucket gets
	 * the tokens of a second at once, when the clock of Redis enters the next one.
	 */
	private static final Duration SECOND = Duration.ofSeconds(1);

	@TempDir
	private static Path directory;

	@Test
	void bucket4jStarter() throws IOException {
		Pair examples = examples("bucket4j-spring-boot-starter");
		try (Server before = new Server(WebApplicationType.SERVLET, examples.before(), WITHOUT_GATEWAY, Caches.class,
				SearchController.class)) {
			before.assertThatEachOfTwoClientsHas(10, 10, MILLISECOND);
		}
		try (Server after = new Server(WebApplicationType.SERVLET, examples.after(), WITHOUT_OTHERS,
				SearchController.class)) {
			after.assertThatEachOfTwoClientsHas(10, 10, MILLISECOND);
		}
	}

	@Test
	void springCloudGateway() throws IOException {
		Pair examples = examples("Spring Cloud Gateway");
		HttpServer backend = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		backend.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, -1);
			exchange.close();
		});
		backend.start();
		int redisPort = freePort();
		RedisServer redis = RedisServer.newRedisServer().port(redisPort).setting("save \"\"").build();
		redis.start();
		try {
			String uri = "http://127.0.0.1:" + backend.getAddress().getPort();
			assertThat(examples.before()).contains("https://search.internal");
			Map<String, String> properties = Map.of("spring.data.redis.port", String.valueOf(redisPort),
					"bucket4j.enabled", "false", "ratelimit.deadline", "20s");
			try (Server before = new Server(WebApplicationType.REACTIVE,
					examples.before().replace("https://search.internal", uri), properties, Users.class,
					UserKeys.class)) {
				before.assertThatEachOfTwoClientsHas(20, 10, SECOND);
			}
			try (Server after = new Server(WebApplicationType.REACTIVE, examples.after(), properties, Users.class,
					SearchController.class)) {
				after.assertThatEachOfTwoClientsHas(20, 10, MILLISECOND);
			}
		}
		finally {
			redis.stop();
			backend.stop(0);
		}
	}

	@Test
	void resilience4j() throws IOException {
		Pair examples = examples("Resilience4j");
		try (Server before = new Server(WebApplicationType.SERVLET, examples.before(), WITHOUT_OTHERS,
				Resilience4jController.class)) {
			before.assertThatAllClientsTogetherHavePerSecond(10);
		}
		try (Server after = new Server(WebApplicationType.SERVLET, examples.after(), WITHOUT_OTHERS,
				SearchController.class)) {
			after.assertThatAllClientsTogetherHavePerSecond(10);
		}
	}

	private static Pair examples(String section) throws IOException {
		String page = Files.readString(Path.of("../../docs/migration.md"));
		String text = Stream.of(page.split("(?m)^## "))
			.filter((candidate) -> candidate.startsWith(section + "\n"))
			.findFirst()
			.orElseThrow();
		Matcher blocks = Pattern.compile("(?s)```yaml\n(.*?)```").matcher(text);
		List<String> found = blocks.results().map((block) -> block.group(1)).toList();
		assertThat(found).as("examples of " + section).hasSize(2);
		return new Pair(found.get(0), found.get(1));
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private record Pair(String before, String after) {
	}

	/**
	 * A running application, to count the requests that it allows.
	 */
	private static final class Server implements AutoCloseable {

		private final ConfigurableApplicationContext context;

		private final int port;

		Server(WebApplicationType type, String yaml, Map<String, String> properties, Class<?>... beans)
				throws IOException {
			SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class).sources(beans)
				.web(type)
				.properties("server.port=0", "spring.main.banner-mode=off", "spring.application.name=migration",
						"logging.level.root=error");
			Path file = Files.createTempFile(directory, "example", ".yaml");
			Files.writeString(file, yaml);
			application.properties("spring.config.import=" + file.toUri());
			this.context = application.run(properties.entrySet()
				.stream()
				.map((property) -> "--" + property.getKey() + "=" + property.getValue())
				.toArray(String[]::new));
			this.port = ((WebServerApplicationContext) this.context).getWebServer().getPort();
		}

		void assertThatEachOfTwoClientsHas(int capacity, int perSecond, Duration tick) throws IOException {
			Run run = untilRejected();
			long ticks = run.elapsed().dividedBy(tick) + 1;
			long refilled = perSecond * ticks * tick.toMillis() / 1_000 + 1;
			assertThat(run.allowed()).as(run.toString()).isBetween(2L * capacity - 1, 2 * (capacity + refilled));
			assertThatNothingElseIsLimited();
		}

		void assertThatAllClientsTogetherHavePerSecond(int quantity) throws IOException {
			untilRejected();
			while (REJECTED.contains(status(SEARCH, ALICE))) {
				// Wait for the end of the window that the run above has exhausted.
			}
			Run run = untilRejected();
			long windows = run.elapsed().toSeconds() + 2;
			assertThat(1 + run.allowed()).as(run.toString()).isBetween((long) quantity, quantity * windows);
			assertThatNothingElseIsLimited();
		}

		private void assertThatNothingElseIsLimited() throws IOException {
			for (int i = 0; i < 30; i++) {
				assertThat(status("/other", ALICE)).isEqualTo(404);
			}
		}

		/**
		 * Send requests of both clients in turn until one of them is rejected.
		 */
		private Run untilRejected() throws IOException {
			long start = System.nanoTime();
			long allowed = 0;
			while (true) {
				for (String client : List.of(ALICE, BOB)) {
					int status = status(SEARCH, client);
					Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
					if (REJECTED.contains(status)) {
						return new Run(allowed, elapsed);
					}
					assertThat(status).isEqualTo(200);
					assertThat(elapsed).as("no request is rejected").isLessThan(LONGEST);
					allowed++;
				}
			}
		}

		int status(String path, String client) throws IOException {
			InetAddress from = InetAddress.getByName(ADDRESSES.get(client));
			try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.port, from, 0)) {
				String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nUser: " + client
						+ "\r\nConnection: close\r\n\r\n";
				socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
				var reader = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
				return Integer.parseInt(reader.readLine().split(" ")[1]);
			}
		}

		@Override
		public void close() {
			this.context.close();
		}

		private record Run(long allowed, Duration elapsed) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/**
	 * The cache that an application needs, according to the documentation of bucket4j's
	 * starter.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Caches {

		@Bean
		CacheManager cacheManager() {
			CacheManager manager = Caching.getCachingProvider(CaffeineCachingProvider.class.getName())
				.getCacheManager();
			manager.createCache("buckets", new MutableConfiguration<>());
			return manager;
		}

	}

	/**
	 * The bean that the example of the gateway names.
	 */
	@Configuration(proxyBeanMethods = false)
	static class UserKeys {

		@Bean
		KeyResolver userKeyResolver() {
			return (exchange) -> exchange.getPrincipal().map(Principal::getName);
		}

	}

	/**
	 * Authenticates requests by a header, without any credentials.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Users {

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		WebFilter users() {
			return (exchange, chain) -> {
				String user = exchange.getRequest().getHeaders().getFirst("User");
				Principal principal = () -> user;
				return chain.filter(exchange.mutate().principal(Mono.just(principal)).build());
			};
		}

	}

	@RestController
	static class SearchController {

		@GetMapping("/api/search/{words}")
		String search(@PathVariable String words) {
			return words;
		}

	}

	@RestController
	static class Resilience4jController {

		@GetMapping("/api/search/{words}")
		@RateLimiter(name = "search")
		String search(@PathVariable String words) {
			return words;
		}

		@ExceptionHandler
		@ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
		void rejected(RequestNotPermitted ex) {
		}

	}

}
