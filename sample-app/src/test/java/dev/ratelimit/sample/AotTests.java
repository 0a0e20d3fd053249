package dev.ratelimit.sample;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the sample has the same behavior after processing ahead of time, on both
 * stacks, in memory and on Redis.
 */
@Tag("long")
class AotTests {

	private static final String REACTIVE = "--spring.main.web-application-type=reactive";

	private static final String REDIS = "--spring.profiles.active=redis";

	private static final String GRPC = "--spring.profiles.active=grpc";

	/** The samples that are processed here, by their arguments. */
	private static final Map<List<String>, CompletableFuture<ProcessedSample>> PROCESSED = new HashMap<>();

	// Process all samples at the same time, because each of them waits for its own JVM.
	@BeforeAll
	static void process(@TempDir Path target) {
		for (List<String> arguments : List.of(List.of(REDIS), List.of(REACTIVE), List.of(REACTIVE, REDIS),
				List.of(GRPC))) {
			Path own = target.resolve(Integer.toString(PROCESSED.size()));
			PROCESSED.put(arguments,
					CompletableFuture.supplyAsync(() -> ProcessedSample.with(own, arguments.toArray(String[]::new)),
							(task) -> new Thread(task, "process-aot").start()));
		}
	}

	// Wait, so that nothing is written to the directory while it is deleted.
	@AfterAll
	static void awaitAll() {
		CompletableFuture.allOf(PROCESSED.values().toArray(CompletableFuture<?>[]::new))
			.handle((all, failure) -> all)
			.join();
	}

	private static ProcessedSample processed(String... arguments) {
		return PROCESSED.get(List.of(arguments)).join();
	}

	private static String[] redis(String... arguments) {
		TestRedis redis = TestRedis.shared();
		String[] all = { REDIS, "--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
				"--ratelimit.redis.key-prefix=rl:" + UUID.randomUUID() };
		return Stream.concat(Stream.of(all), Stream.of(arguments)).toArray(String[]::new);
	}

	@TestInstance(Lifecycle.PER_CLASS)
	abstract static class Processed extends SampleContract {

		private SampleProcess sample;

		abstract SampleProcess start();

		@BeforeAll
		void startProcessed() {
			this.sample = start();
		}

		@AfterAll
		void stop() {
			this.sample.close();
		}

		@Override
		int port() {
			return this.sample.port();
		}

		@Test
		void runsAsItWasProcessed() {
			port();
			assertThat(this.sample.toString()).contains("Starting AOT-processed SampleApplication");
		}

	}

	@Nested
	@Tag("nightly")
	class ServletMemory extends Processed {

		@Override
		SampleProcess start() {
			return ProcessedSample.byMaven().start();
		}

		@Test
		void aConnectionToRedisThatComesTooLateIsRefused() {
			try (SampleProcess late = ProcessedSample.byMaven().start("--spring.data.redis.host=localhost")) {
				assertThat(late.end()).isNotZero();
				assertThat(late.toString()).contains("APPLICATION FAILED TO START")
					.contains("A connection to Redis is configured")
					.contains("process-aot");
			}
		}

	}

	@Nested
	class ServletRedis extends Processed {

		@Override
		SampleProcess start() {
			return processed(REDIS).start(redis());
		}

	}

	@Nested
	class ReactiveMemory extends Processed {

		@Override
		SampleProcess start() {
			return processed(REACTIVE).start(REACTIVE);
		}

	}

	@Nested
	@Tag("nightly")
	class ReactiveRedis extends Processed {

		@Override
		SampleProcess start() {
			return processed(REACTIVE, REDIS).start(redis(REACTIVE));
		}

	}

	@Nested
	@TestInstance(Lifecycle.PER_CLASS)
	class Grpc extends GrpcContract {

		private SampleProcess sample;

		@BeforeAll
		void startProcessed() {
			this.sample = processed(GRPC).start(GRPC, "--spring.grpc.server.port=0");
		}

		@AfterAll
		void stop() {
			this.sample.close();
		}

		@Override
		int port() {
			return this.sample.port();
		}

	}

}
