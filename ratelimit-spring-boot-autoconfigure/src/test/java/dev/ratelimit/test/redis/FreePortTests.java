package dev.ratelimit.test.redis;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class FreePortTests {

	private final List<Integer> tried = new ArrayList<>();

	@Test
	void anotherPortIsTried() {
		String started = FreePort.tryPorts((port) -> start(port, 3));
		assertThat(started).isEqualTo("third");
		int first = 13000 + 3000 * Integer.getInteger("test.fork", 1);
		assertThat(this.tried).as("ports of this JVM")
			.hasSize(3)
			.allMatch((port) -> port >= first && port < first + 3000);
	}

	@Test
	void fiveFailuresAreEnough() {
		assertThatIllegalStateException().isThrownBy(() -> FreePort.tryPorts((port) -> start(port, 9)))
			.withMessage("taken");
		assertThat(this.tried).hasSize(5);
	}

	private String start(int port, int successful) {
		this.tried.add(port);
		if (this.tried.size() < successful) {
			throw new IllegalStateException("taken");
		}
		return "third";
	}

}
