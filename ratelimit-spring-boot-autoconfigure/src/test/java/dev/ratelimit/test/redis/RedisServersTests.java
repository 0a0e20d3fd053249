package dev.ratelimit.test.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedisServersTests {

	private static final Path JAR_EXECUTABLE = Path.of("from-the-jar");

	@TempDir
	private Path directory;

	private Path socket;

	@BeforeEach
	void dockerIsNotThere() {
		this.socket = this.directory.resolve("docker.sock");
	}

	@ParameterizedTest
	@CsvSource({ "path, embedded, path", "'', embedded, embedded", "' ', '', auto", "PATH, '', path" })
	void propertyWinsOverEnvironment(String property, String variable, String choice) {
		assertThat(RedisServers.choice(property, variable)).isEqualTo(choice);
	}

	@Test
	void autoTakesDockerFirst() throws IOException {
		Files.createFile(this.socket);
		executable("redis-server");
		assertThat(select("auto", () -> true)).isEqualTo(new RedisSource.Docker());
	}

	@Test
	void autoDoesNotAskDockerThatDoesNotLookThere() throws IOException {
		Path server = executable("redis-server");
		assertThat(select("auto", () -> true)).isEqualTo(new RedisSource.Executable("path", server));
	}

	@Test
	void autoTakesThePathWhereDockerDoesNotAnswer() throws IOException {
		Files.createFile(this.socket);
		Path server = executable("valkey-server");
		assertThat(select("auto", () -> false)).isEqualTo(new RedisSource.Executable("path", server));
	}

	@Test
	void redisIsTakenBeforeValkey() throws IOException {
		executable("valkey-server");
		Path server = executable("redis-server");
		assertThat(select("path", () -> false)).isEqualTo(new RedisSource.Executable("path", server));
	}

	@Test
	void autoTakesTheJarLast() {
		assertThat(select("auto", () -> false)).isEqualTo(new RedisSource.Executable("embedded", JAR_EXECUTABLE));
	}

	@Test
	void autoFailsWhenNothingIsThere() {
		assertFails("auto", "embedded-redis jar has no executable");
	}

	@Test
	void embeddedIsTakenAlthoughThePathHasOne() throws IOException {
		executable("redis-server");
		assertThat(select("embedded", () -> true)).isEqualTo(new RedisSource.Executable("embedded", JAR_EXECUTABLE));
	}

	@Test
	void testcontainersIsTakenFromAnyDockerThatAnswers() {
		assertThat(select("testcontainers", () -> true)).isEqualTo(new RedisSource.Docker());
	}

	@Test
	void choiceThatCannotBeMetFails() throws IOException {
		Files.createFile(this.directory.resolve("redis-server"));
		assertFails("testcontainers", "Docker does not answer");
		assertFails("path", "no redis-server or valkey-server in [" + this.directory + "]");
		assertFails("embedded", "embedded-redis jar has no executable");
		assertFails("memory", "no such source");
	}

	private void assertFails(String choice, String reason) {
		RedisServers servers = servers(choice, () -> false, () -> {
			throw new IOException("no such resource");
		});
		assertThatIllegalStateException().isThrownBy(servers::select)
			.withMessageContainingAll("\"" + choice + "\"", reason, "-Dtest.redis", "TEST_REDIS", "auto",
					"testcontainers", "path", "embedded");
	}

	private RedisSource select(String choice, Callable<Boolean> docker) {
		return servers(choice, docker, () -> JAR_EXECUTABLE).select();
	}

	private RedisServers servers(String choice, Callable<Boolean> docker, Callable<Path> embedded) {
		return new RedisServers(choice, List.of(this.directory),
				new DockerCheck("", List.of(this.socket), docker, Duration.ofSeconds(5)), embedded);
	}

	private Path executable(String name) throws IOException {
		Path file = Files.createFile(this.directory.resolve(name));
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file;
	}

}
