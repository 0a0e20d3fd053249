package dev.ratelimit.test.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DockerCheckTests {

	@TempDir
	private Path directory;

	@Test
	void looksThereByVariableOrBySocket() throws IOException {
		Path missing = this.directory.resolve("missing.sock");
		assertThat(check("", missing, () -> true).looksThere()).isFalse();
		assertThat(check("tcp://127.0.0.1:1", missing, () -> true).looksThere()).isTrue();
		assertThat(check("", this.directory, () -> true).looksThere()).isTrue();
	}

	@Test
	void variableOfTheEnvironmentIsRead() {
		assertThat(DockerCheck.ofEnvironment(Map.of("DOCKER_HOST", "tcp://127.0.0.1:1")).looksThere()).isTrue();
	}

	@Test
	void answersWhatTheClientSays() {
		assertThat(patient(() -> true).answers()).isTrue();
		assertThat(patient(() -> false).answers()).isFalse();
	}

	@Test
	void clientThatFailsIsNotTakenForNo() {
		DockerCheck check = patient(() -> {
			throw new IOException("broken");
		});
		assertThatIllegalStateException().isThrownBy(check::answers).withRootCauseInstanceOf(IOException.class);
	}

	@Test
	@Timeout(10)
	void socketThatAcceptsAndStaysSilentIsGivenUp() throws IOException {
		Path file = this.directory.resolve("docker.sock");
		try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			silent.bind(UnixDomainSocketAddress.of(file));
			DockerCheck check = check("", file, () -> isAnswering(silent.getLocalAddress()));
			assertThat(check.looksThere()).isTrue();
			assertThat(check.answers()).isFalse();
		}
	}

	@Test
	@Timeout(10)
	void portThatAcceptsAndStaysSilentIsGivenUp() throws IOException {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			String host = "tcp://127.0.0.1:" + silent.getLocalPort();
			DockerCheck check = check(host, this.directory, () -> isAnswering(silent.getLocalSocketAddress()));
			assertThat(check.looksThere()).isTrue();
			assertThat(check.answers()).isFalse();
		}
	}

	private static boolean isAnswering(SocketAddress address) throws IOException {
		try (SocketChannel client = SocketChannel.open(address)) {
			return client.read(ByteBuffer.allocate(1)) > 0;
		}
	}

	private DockerCheck patient(Callable<Boolean> client) {
		return new DockerCheck("", List.of(this.directory), client, Duration.ofMinutes(1));
	}

	private static DockerCheck check(String dockerHost, Path socket, Callable<Boolean> client) {
		return new DockerCheck(dockerHost, List.of(socket), client, Duration.ofMillis(300));
	}

}
