package dev.ratelimit.http;

import java.nio.file.Path;
import java.util.List;

import dev.ratelimit.test.clients.Command;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the number of library types in the path of an allowed request. A reader of this
 * path must know these types. The bounds leave some room.
 */
class DecisionPathTests {

	@ParameterizedTest
	@ValueSource(strings = { "SERVLET", "REACTIVE" })
	void anAllowedRequestRunsThroughFewTypes(String stack) {
		List<String> lines = trace(stack);
		assertThat(lines).contains("remaining 98");
		assertThat(lines.stream().filter((line) -> line.startsWith("type "))).hasSizeBetween(50, 100);
		assertThat(lines.stream().filter((line) -> line.startsWith("frame "))).hasSizeBetween(10, 20);
		assertThat(lines).containsAnyOf("futures 1", "futures 2", "futures 3", "futures 4");
	}

	private static List<String> trace(String stack) {
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return Command.run(Path.of("."),
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+EnableDynamicAgentLoading", "-cp", classPath, DecisionPath.class.getName(), stack));
	}

}
