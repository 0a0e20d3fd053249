package dev.ratelimit.sample;

import java.nio.file.Path;
import java.util.UUID;
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
 * The sample does the same when it was processed ahead of time, on both stacks, in memory
 * and on Redis.
 */
@Tag("long")
class AotTests {

	private static final String REACTIVE = "--spring.main.web-application-type=reactive";

	private static final String REDIS = "--spring.profiles.active=redis";

	private static String[] redis(String... arguments) {
		TestRedis redis = TestRedis.shared();
		String[] all = { REDIS, "--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
				"--ratelimit.redis.key-prefix=rl:" + UUID.randomUUID() };
		return Stream.concat(Stream.of(all), Stream.of(arguments)).toArray(String[]::new);
	}

	@TestInstance(Lifecycle.PER_CLASS)
	abstract static class Processed extends SampleContract {

		private SampleProcess sample;

		abstract SampleProcess start(Path target);

		@BeforeAll
		void processAndStart(@TempDir Path target) {
			this.sample = start(target);
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
	class ServletMemory extends Processed {

		@Override
		SampleProcess start(Path target) {
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
		SampleProcess start(Path target) {
			return ProcessedSample.with(target, REDIS).start(redis());
		}

	}

	@Nested
	class ReactiveMemory extends Processed {

		@Override
		SampleProcess start(Path target) {
			return ProcessedSample.with(target, REACTIVE).start(REACTIVE);
		}

	}

	@Nested
	class ReactiveRedis extends Processed {

		@Override
		SampleProcess start(Path target) {
			return ProcessedSample.with(target, REACTIVE, REDIS).start(redis(REACTIVE));
		}

	}

}
