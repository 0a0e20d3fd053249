package dev.ratelimit.test.redis;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Selects the source of the Redis servers, once per JVM, from {@code -Dtest.redis} or
 * else the environment variable {@code TEST_REDIS}. If a named source is unavailable, the
 * tests fail. They do not use another source, and no test is skipped.
 */
final class RedisServers {

	static final String TESTCONTAINERS = "testcontainers";

	static final String PATH = "path";

	static final String EMBEDDED = "embedded";

	private static final String AUTO = "auto";

	private static final Once<RedisSource> SOURCE = new Once<>(() -> ofEnvironment().select());

	private static final Once<RedisSource.Executable> PROCESSES = new Once<>(() -> ofEnvironment().process());

	private final String choice;

	private final List<Path> searchPath;

	private final DockerCheck docker;

	private final Callable<Path> embedded;

	RedisServers(String choice, List<Path> searchPath, DockerCheck docker, Callable<Path> embedded) {
		this.choice = choice;
		this.searchPath = searchPath;
		this.docker = docker;
		this.embedded = embedded;
	}

	static RedisSource source() {
		return SOURCE.get();
	}

	/**
	 * Return the source of servers that must reach each other at the addresses that
	 * clients use. Containers do not support this on every platform, so processes are
	 * used instead.
	 */
	static RedisSource.Executable processes() {
		return (source() instanceof RedisSource.Executable executable) ? executable : PROCESSES.get();
	}

	private static RedisServers ofEnvironment() {
		Map<String, String> environment = System.getenv();
		String[] directories = environment.getOrDefault("PATH", "").split(File.pathSeparator);
		return new RedisServers(
				choice(System.getProperty("test.redis", ""), environment.getOrDefault("TEST_REDIS", "")),
				Arrays.stream(directories).map(Path::of).toList(), DockerCheck.ofEnvironment(environment),
				EmbeddedRedis::extract);
	}

	static String choice(String property, String variable) {
		return Stream.of(property, variable)
			.filter((value) -> !value.isBlank())
			.findFirst()
			.orElse(AUTO)
			.toLowerCase(Locale.ROOT);
	}

	RedisSource select() {
		return switch (this.choice) {
			case AUTO -> first();
			case TESTCONTAINERS -> docker();
			case PATH -> onPath().orElseThrow(() -> failure("no redis-server or valkey-server in " + this.searchPath));
			case EMBEDDED -> embedded();
			default -> throw failure("no such source");
		};
	}

	private RedisSource first() {
		if (this.docker.looksThere() && this.docker.answers()) {
			return new RedisSource.Docker();
		}
		return process();
	}

	RedisSource.Executable process() {
		return onPath().orElseGet(this::embedded);
	}

	private RedisSource docker() {
		if (!this.docker.answers()) {
			throw failure("Docker does not answer");
		}
		return new RedisSource.Docker();
	}

	private Optional<RedisSource.Executable> onPath() {
		return Stream.of("redis-server", "valkey-server")
			.flatMap((name) -> this.searchPath.stream().map((directory) -> directory.resolve(name)))
			.filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file))
			.findFirst()
			.map((file) -> new RedisSource.Executable(PATH, file));
	}

	private RedisSource.Executable embedded() {
		try {
			return new RedisSource.Executable(EMBEDDED, this.embedded.call());
		}
		catch (Exception ex) {
			throw failure("the embedded-redis jar has no executable for this system", ex);
		}
	}

	private IllegalStateException failure(String reason) {
		return failure(reason, null);
	}

	private IllegalStateException failure(String reason, @Nullable Throwable cause) {
		return new IllegalStateException(("no redis for the tests, asked for \"%s\": %s. Choose another source with "
				+ "-Dtest.redis or TEST_REDIS: auto, testcontainers, path or embedded")
			.formatted(this.choice, reason), cause);
	}

}
