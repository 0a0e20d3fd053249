package dev.ratelimit.gateway;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A backend, and gateways in front of it. When it is closed, all of them stop.
 */
final class Servers implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(LIMIT).build();

	private final Deque<Runnable> started = new ArrayDeque<>();

	private final AtomicInteger served = new AtomicInteger();

	private final AtomicInteger processing = new AtomicInteger();

	private final AtomicInteger mostAtOnce = new AtomicInteger();

	private volatile Duration hold = Duration.ZERO;

	private final HttpServer backend;

	/**
	 * Start the backend.
	 * @param statuses the statuses of its first responses; all later responses have 200
	 */
	Servers(Integer... statuses) {
		Deque<Integer> first = new ArrayDeque<>(List.of(statuses));
		try {
			this.backend = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		this.backend.createContext("/", (exchange) -> {
			this.served.incrementAndGet();
			this.mostAtOnce.accumulateAndGet(this.processing.incrementAndGet(), Math::max);
			await(this.hold);
			this.processing.decrementAndGet();
			exchange.getResponseHeaders().add("RateLimit-Policy", "\"upstream\";q=7;w=60");
			Integer status = first.poll();
			exchange.sendResponseHeaders((status != null) ? status : 200, -1);
			exchange.close();
		});
		ExecutorService threads = Executors.newCachedThreadPool();
		this.started.push(threads::shutdownNow);
		this.backend.setExecutor(threads);
		this.backend.start();
		this.started.push(() -> this.backend.stop(0));
	}

	private static void await(Duration time) {
		try {
			Thread.sleep(time.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Let the backend hold each request for some time.
	 * @param time the time
	 */
	void hold(Duration time) {
		this.hold = time;
	}

	/**
	 * Return the highest number of requests that the backend has processed at the same
	 * time.
	 * @return the number
	 */
	int mostAtOnce() {
		return this.mostAtOnce.get();
	}

	String uri() {
		return "http://127.0.0.1:" + this.backend.getAddress().getPort();
	}

	/**
	 * Return the number of requests that the backend has received.
	 * @return the number
	 */
	int served() {
		return this.served.get();
	}

	/**
	 * Start a gateway.
	 * @param type the web stack of the gateway
	 * @param properties the properties of the gateway
	 * @return the context of the gateway
	 */
	ConfigurableApplicationContext gateway(WebApplicationType type, String... properties) {
		List<String> all = new ArrayList<>(List.of("server.port=0", "spring.main.banner-mode=off",
				"spring.autoconfigure.exclude=org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
				"logging.level.root=warn"));
		all.addAll(List.of(properties));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).web(type)
			.run(all.stream().map((property) -> "--" + property).toArray(String[]::new));
		this.started.push(context::close);
		return context;
	}

	static HttpResponse<String> get(ConfigurableApplicationContext gateway, String path, String... headers) {
		int port = ((WebServerApplicationContext) gateway).getWebServer().getPort();
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
			.timeout(LIMIT);
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.started.forEach(Runnable::run);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
