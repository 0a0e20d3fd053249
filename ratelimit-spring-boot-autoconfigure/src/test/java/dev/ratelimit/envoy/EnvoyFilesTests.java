package dev.ratelimit.envoy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests files in the format of the Envoy rate limit service that are read while calls are
 * evaluated.
 */
class EnvoyFilesTests {

	private static final String USERS = """
			domain: edge
			descriptors:
			  - key: user
			    rate_limit: { unit: %s, requests_per_unit: %d }
			  - key: path
			    rate_limit: { unit: %1$s, requests_per_unit: %2$d }
			""";

	@TempDir
	private Path directory = Path.of("");

	private ConfigurableApplicationContext application;

	private EnvoyProbe envoy;

	@BeforeEach
	void start() throws IOException {
		write(USERS.formatted("year", 2));
		this.application = new SpringApplicationBuilder(EnvoyServiceContract.Application.class)
			.web(WebApplicationType.NONE)
			.run("--spring.main.banner-mode=off", "--spring.grpc.server.port=0", "--ratelimit.envoy.enabled=true",
					"--ratelimit.store=memory", "--ratelimit.live.source=file",
					"--ratelimit.live.file=" + this.directory.resolve("config.yaml"));
		this.envoy = EnvoyProbe.of(this.application);
	}

	@AfterEach
	void stop() {
		this.envoy.close();
		this.application.close();
	}

	@Test
	void anEditIsActiveAndKeepsTheUsageAndABadOneChangesNothing() throws IOException {
		assertThat(this.envoy.codes(3, "user=bob")).containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT);
		write(USERS.formatted("year", 3));
		Awaitility.await().until(() -> quantity() == 3);
		assertThat(this.envoy.codes(2, "user=bob")).containsExactly(Code.OK, Code.OVER_LIMIT);
		write("domain: edge\ndescriptors: [{ key: user, rate_limit: { unit: fortnight } }]");
		Awaitility.await()
			.during(Duration.ofMillis(600))
			.until(() -> this.envoy.call("user=bob").getOverallCode() == Code.OVER_LIMIT);
		assertThat(quantity()).isEqualTo(3);
	}

	@Test
	void callsMeetOneVersionWhileFilesChange() throws Exception {
		reload(20);
	}

	@Test
	@Tag("long")
	@Tag("nightly")
	void callsMeetOneVersionWhileAThousandFilesChange() throws Exception {
		reload(Integer.getInteger("test.reloads", 1000));
	}

	private void reload(int times) throws IOException, InterruptedException, ExecutionException {
		AtomicBoolean running = new AtomicBoolean(true);
		ExecutorService clients = Executors.newFixedThreadPool(2);
		try {
			List<Future<?>> calls = new ArrayList<>();
			List<AtomicInteger> counts = List.of(new AtomicInteger(), new AtomicInteger());
			for (AtomicInteger count : counts) {
				calls.add(clients.submit(() -> {
					while (running.get()) {
						requireOneVersion();
						count.incrementAndGet();
					}
				}));
			}
			for (int i = 0; i < times; i++) {
				int quantity = 100_000 + i;
				write(USERS.formatted("year", quantity));
				Awaitility.await().until(() -> quantity() == quantity);
			}
			Awaitility.await()
				.until(() -> calls.stream().anyMatch(Future::isDone)
						|| counts.stream().allMatch((count) -> count.get() > times));
			running.set(false);
			for (Future<?> one : calls) {
				one.get();
			}
		}
		finally {
			running.set(false);
			clients.shutdownNow();
		}
	}

	private void requireOneVersion() {
		RateLimitResponse response = this.envoy
			.call((request) -> request.addDescriptors(EnvoyProbe.descriptor("user=carol"))
				.addDescriptors(EnvoyProbe.descriptor("path=/a")));
		assertThat(response.getStatuses(0).getCurrentLimit().getRequestsPerUnit())
			.isEqualTo(response.getStatuses(1).getCurrentLimit().getRequestsPerUnit());
		assertThat(response.getStatuses(0).getCurrentLimit().getUnit()).isEqualTo(Unit.YEAR);
	}

	private int quantity() {
		return this.envoy.call("user=dave").getStatuses(0).getCurrentLimit().getRequestsPerUnit();
	}

	private void write(String text) throws IOException {
		Path next = Files.writeString(this.directory.resolve("next"), text);
		Files.move(next, this.directory.resolve("config.yaml"), StandardCopyOption.ATOMIC_MOVE,
				StandardCopyOption.REPLACE_EXISTING);
	}

}
