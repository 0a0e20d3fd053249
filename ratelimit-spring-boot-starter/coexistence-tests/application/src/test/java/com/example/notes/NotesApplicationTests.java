package com.example.notes;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes the choices of the application to a file, for the tests with the starter.
 */
class NotesApplicationTests {

	@Test
	void startsAndDecides() {
		try (ConfigurableApplicationContext context = NotesApplication.start()) {
			Choices choices = Choices.of(context);
			assertThat(choices.lines())
				.contains("cache cacheManager org.springframework.cache.concurrent.ConcurrentMapCacheManager")
				.filteredOn((line) -> line.startsWith("repositories "))
				.hasSize(1);
			choices.write(Path.of("target", "choices.txt"));
		}
	}

}
