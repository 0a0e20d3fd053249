package dev.ratelimit.test.redis;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ProcessNodeTests {

	@Test
	void executableThatIsNoServerFailsWithWhatItSaid() {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		assertThatIllegalStateException().isThrownBy(() -> ProcessNode.start(java, 16000, List.of()))
			.withMessageContainingAll("no redis on port 16000", "Unrecognized option: --port");
	}

	@Test
	void missingExecutableFailsWithItsName() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ProcessNode.start(Path.of("no-such-server"), 16000, List.of()))
			.withMessageContaining("no-such-server");
	}

}
