package dev.ratelimit.benchmarks.openloop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ratelimit.benchmarks.openloop.Stage.Name;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadGeneratorTests {

	/** A busy machine delays requests and responses, but not for so long. */
	private static final Duration LATE = Duration.ofSeconds(5);

	private final AtomicInteger requests = new AtomicInteger();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private HttpServer server;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::serve);
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	@Test
	void doesNotWaitForTheResponsesBefore() throws IOException {
		Mix mix = new Mix(List.of(0.3, 0.4, 0.0, 0.3), 1);
		List<Sample> samples = LoadGenerator.run(this.server.getAddress(),
				new OpenArrivals(List.of(Stage.of(Name.OVER, 1, 1, mix)), 100, (stage) -> {
				}), LATE);
		assertThat(samples).hasSize(this.requests.get()).hasSizeBetween(60, 140);
		assertThat(samples).allSatisfy((sample) -> assertThat(sample.outcome()).isEqualTo(expected(sample.level())));
		assertThat(samples).filteredOn((sample) -> sample.outcome() == Outcome.LATE)
			.allSatisfy((sample) -> assertThat(sample.nanos()).isGreaterThan(LATE.toNanos()));
	}

	private static Outcome expected(Level level) {
		return switch (level) {
			case CRITICAL -> Outcome.GOOD;
			case HIGH -> Outcome.SHED;
			default -> Outcome.LATE;
		};
	}

	private void serve(HttpExchange exchange) throws IOException {
		this.requests.incrementAndGet();
		if (exchange.getRequestURI().getPath().startsWith("/low")) {
			// Send no response, so that the client closes the connection.
			return;
		}
		boolean good = exchange.getRequestURI().getPath().startsWith("/critical");
		exchange.sendResponseHeaders((good) ? 200 : 503, -1);
		exchange.close();
	}

}
