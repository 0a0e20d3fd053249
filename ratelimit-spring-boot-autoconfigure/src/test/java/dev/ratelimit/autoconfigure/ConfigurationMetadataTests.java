package dev.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTests {

	@Test
	void everyPropertyIsDescribedBySentences() throws IOException {
		assertThat(properties()).hasSizeGreaterThan(15).allSatisfy((property) -> {
			assertThat(property.path("name").asString()).startsWith("ratelimit");
			assertThat(property.path("description").asString()).as(property.path("name").asString())
				.matches("(?s)[A-Z].*\\.");
		});
	}

	@Test
	void everyComponentOfTheTreeIsThere() throws IOException {
		List<String> names = properties().map((property) -> property.path("name").asString()).toList();
		assertThat(names).contains("ratelimit.enabled", "ratelimit.store", "ratelimit.deadline",
				"ratelimit.defaults.on-missing-key", "ratelimit.memory.max-buckets", "ratelimit.redis.key-prefix",
				"ratelimit.redis.hash-tag", "ratelimit.idempotency.max-replays", "ratelimit.circuit.probe-interval",
				"ratelimit.rules");
	}

	// Spring Boot describes the management properties of the endpoint.
	private static Stream<JsonNode> properties() throws IOException {
		Path file = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");
		try (InputStream json = Files.newInputStream(file)) {
			JsonNode properties = JsonMapper.shared().readTree(json).path("properties");
			return properties.valueStream()
				.filter((property) -> !property.path("name").asString().startsWith("management."));
		}
	}

}
