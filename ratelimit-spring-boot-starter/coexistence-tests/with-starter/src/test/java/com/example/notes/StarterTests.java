package com.example.notes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the starter adds the limiter, and changes nothing else.
 */
class StarterTests {

	private static final Path BEFORE = Path.of("..", "application", "target", "choices.txt");

	private static final Path PUBLISHED_POM = Path.of("..", "..", "..", "ratelimit-spring-boot-autoconfigure",
			"dependency-reduced-pom.xml");

	/**
	 * The only other addition: Lettuce needs Reactor, and with Reactor, Spring Boot adds
	 * an empty registry of reactive health indicators.
	 */
	private static final String OF_REACTOR = "eactiveHealthContributorRegistry";

	// No server listens on port 1. Conditions depend only on the class path and on
	// properties.
	@ParameterizedTest
	@CsvSource({ "ratelimit.store=auto, memoryLimitStore", "ratelimit.redis.port=1, redisLimitStore",
			"spring.data.redis.port=1, redisLimitStore" })
	void onlyTheLimiterIsAdded(String property, String store) {
		Collection<String> before = Choices.read(BEFORE).lines();
		try (ConfigurableApplicationContext context = NotesApplication.start(property)) {
			Collection<String> after = Choices.of(context).lines();
			assertThat(difference(before, after)).isEmpty();
			assertThat(difference(after, before)).anyMatch((line) -> line.startsWith("bean " + store + " "))
				.allMatch((line) -> line.contains("dev.ratelimit.") || line.startsWith("bean rateLimit"));
		}
	}

	@Test
	void thePublishedPomDoesNotNameTheRelocatedLibrary() throws IOException {
		String pom = Files.readString(PUBLISHED_POM);
		assertThat(pom.substring(pom.lastIndexOf("<dependencies>"), pom.lastIndexOf("</dependencies>")))
			.contains("<artifactId>resilience4j-circuitbreaker</artifactId>")
			.doesNotContain("caffeine");
	}

	private static List<String> difference(Collection<String> lines, Collection<String> others) {
		return lines.stream().filter((line) -> !others.contains(line) && !line.contains(OF_REACTOR)).toList();
	}

}
