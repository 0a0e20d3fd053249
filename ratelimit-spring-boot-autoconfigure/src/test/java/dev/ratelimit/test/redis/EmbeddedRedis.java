package dev.ratelimit.test.redis;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import redis.embedded.core.ExecutableProvider;

/**
 * Extracts the server executable from the embedded-redis jar. The file is deleted when
 * the JVM ends.
 */
final class EmbeddedRedis {

	private EmbeddedRedis() {
	}

	static Path extract() throws IOException {
		File directory = Files.createTempDirectory("embedded-redis").toFile();
		directory.deleteOnExit();
		File executable = ExecutableProvider.newJarResourceProvider(directory).get();
		executable.deleteOnExit();
		return executable.toPath();
	}

}
