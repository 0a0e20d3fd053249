package dev.ratelimit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.ratelimit.algorithm.Algorithms;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the capabilities of an algorithm are its methods, and that no other class
 * compares IDs.
 */
class AlgorithmIdTests {

	private static final Path SOURCES = Path.of("src/main/java/dev/ratelimit");

	/** An ID within a string, outside of comments. */
	private static final Pattern LITERAL = Pattern.compile("(?m)^(?!\\s*(?:\\*|//|/\\*)).*\"[^\"\n]*\\b(?:"
			+ String.join("|", Algorithms.ids()) + ")\\b[^\"\n]*\".*$");

	@Test
	void onlyAlgorithmsKnowTheirIds() throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			List<Path> others = files.filter((file) -> file.toString().endsWith(".java"))
				.filter((file) -> !file.startsWith(SOURCES.resolve("algorithm")))
				.toList();
			assertThat(others).hasSizeGreaterThan(100).allSatisfy((file) -> assertThat(literals(file)).isEmpty());
		}
	}

	@Test
	void literalsAreFound() throws IOException {
		assertThat(literals(SOURCES.resolve("algorithm/Gcra.java"))).hasSize(2);
	}

	private static List<String> literals(Path file) throws IOException {
		return LITERAL.matcher(Files.readString(file)).results().map((found) -> found.group().trim()).toList();
	}

}
