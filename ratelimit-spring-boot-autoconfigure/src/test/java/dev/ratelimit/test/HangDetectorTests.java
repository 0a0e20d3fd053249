package dev.ratelimit.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a JVM with a hanging test ends and prints the reason.
 */
class HangDetectorTests {

	@Test
	void aTestThatHangsEndsTheJvm() throws Exception {
		assertThat(failed("hangsInATest")).contains("A test takes longer than 1 seconds", "HangingApplication.hangs")
			.contains("The hook ran");
	}

	@Test
	void testsThatTakeLongTogetherEndTheJvm() throws Exception {
		// A JVM may take longer than this to start.
		assertThat(failed("hangs", "-Dtest.fork.seconds=1"))
			.contains("The tests of this JVM take longer than 1 seconds. Under way: ", "\"main\" #1 ");
	}

	@Test
	void anEndThatHangsIsCutShort() throws Exception {
		assertThat(failed("hangsAtItsEnd", "-Dtest.exit.seconds=1"))
			.contains("The end of the JVM takes longer than 1 seconds", "HangingApplication.hangs");
	}

	private static String failed(String how, String... properties) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
						System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
		command.addAll(List.of(properties));
		command.addAll(List.of(HangingApplication.class.getName(), how));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isEqualTo(1);
		return output;
	}

}
