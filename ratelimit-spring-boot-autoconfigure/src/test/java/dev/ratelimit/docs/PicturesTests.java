package dev.ratelimit.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.test.clients.ClientPrograms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the pictures match the output of their script. Other pictures are excluded:
 * the benchmarks draw the performance charts, and the picture of the live page is a
 * screenshot.
 */
class PicturesTests {

	private static final Path PICTURES = Path.of("..", "docs", "pictures");

	private static final String SCRIPT = "draw.py";

	@Test
	void areUpToDate(@TempDir Path directory) throws IOException {
		Path script = Files.copy(PICTURES.resolve(SCRIPT), directory.resolve(SCRIPT));
		ClientPrograms.python(script);
		assertThat(names(directory)).hasSizeGreaterThan(1).isEqualTo(names(PICTURES));
		for (Path name : names(PICTURES)) {
			assertThat(PICTURES.resolve(name)).hasSameTextualContentAs(directory.resolve(name));
		}
	}

	private static List<Path> names(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.map(Path::getFileName)
				.filter((name) -> !name.toString().startsWith("performance-") && !name.toString().endsWith(".png"))
				.sorted()
				.toList();
		}
	}

}
