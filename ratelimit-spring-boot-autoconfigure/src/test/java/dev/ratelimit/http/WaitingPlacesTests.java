package dev.ratelimit.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that all clients share the places for waiting threads. A client that uses all of
 * them loses some to other clients.
 */
class WaitingPlacesTests {

	private ConfigurableApplicationContext context = new GenericApplicationContext();

	private final AtomicBoolean noisy = new AtomicBoolean(true);

	private final List<CompletableFuture<Void>> threads = new ArrayList<>();

	@AfterEach
	void stop() {
		this.noisy.set(false);
		this.threads.forEach(CompletableFuture::join);
		this.context.close();
	}

	@Test
	void aNoisyClientDoesNotTakeTheTurnsOfOthers() {
		start("--ratelimit.rules.work.limit=20/s", "--ratelimit.rules.work.burst=1",
				"--ratelimit.rules.work.wait.max=30s", "--ratelimit.rules.work.key=global",
				"--ratelimit.rules.work.wait.fair-by=header:X-Client");
		makeNoise(20);
		assertThat(light()).containsOnly(200);
	}

	@Test
	void aNoisyClientDoesNotTakeThePlacesOfClientsWithBucketsOfTheirOwn() {
		start("--ratelimit.rules.work.limit=20/s", "--ratelimit.rules.work.burst=1",
				"--ratelimit.rules.work.wait.max=30s", "--ratelimit.rules.work.key=header:X-Client");
		makeNoise(20);
		assertThat(light()).containsOnly(200);
	}

	@Test
	void aNoisyClientDoesNotTakeTheBucketsOfOthers() {
		start("--ratelimit.rules.work.limit=10/s", "--ratelimit.rules.work.burst=100",
				"--ratelimit.rules.work.algorithm=leaky-bucket", "--ratelimit.rules.work.key=header:X-Client");
		makeNoise(20);
		assertThat(light()).containsOnly(200);
	}

	private void makeNoise(int threads) {
		HttpProbe http = http();
		for (int i = 0; i < threads; i++) {
			this.threads.add(CompletableFuture.runAsync(() -> {
				while (this.noisy.get()) {
					http.get("/elsewhere", "X-Client", "noisy");
				}
			}, LeaseContract.THREADS));
		}
		Awaitility.await().until(() -> http.get("/elsewhere", "X-Client", "noisy").statusCode() != 200);
	}

	// Send requests one after the other, so that each but the first has to wait.
	private List<Integer> light() {
		return http().statuses(8, "GET", "/elsewhere", "X-Client", "light");
	}

	private HttpProbe http() {
		return new HttpProbe(this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	private void start(String... more) {
		this.context = new SpringApplicationBuilder(DeploymentTests.Application.class).web(WebApplicationType.SERVLET)
			.run(Stream.concat(Stream.of("--server.port=0", "--ratelimit.store=memory",
					"--ratelimit.servlet.max-waiting=3", "--ratelimit.rules.work.paths=/elsewhere"), Stream.of(more))
				.toArray(String[]::new));
	}

}
