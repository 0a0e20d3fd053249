package com.example.notes;

import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Adding the starter adds the limiter, and changes nothing else.
 */
class StarterTests {

	private static final Path BEFORE = Path.of("..", "application", "target", "choices.txt");

	// Nothing listens there: what is decided by the class path and by properties does not
	// depend on it.
	@ParameterizedTest
	@CsvSource({ "ratelimit.store=auto, memoryLimitStore", "ratelimit.redis.port=1, redisLimitStore",
			"spring.data.redis.port=1, redisLimitStore" })
	void onlyTheLimiterIsAdded(String property, String store) {
		Choices before = Choices.read(BEFORE);
		try (ConfigurableApplicationContext context = NotesApplication.start(property)) {
			Choices after = Choices.of(context);
			assertThat(after.lines()).containsAll(before.lines());
			assertThat(after.lines()).filteredOn((line) -> !before.lines().contains(line))
				.anyMatch((line) -> line.startsWith("bean " + store + " "))
				.allMatch((line) -> line.contains("dev.ratelimit."));
		}
	}

}
