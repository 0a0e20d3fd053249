package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.lettuce.core.RedisConnectionException;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * The Redis server of a measurement: the server that {@code -Dredis=host:port} names,
 * otherwise {@code redis-server} from the PATH, otherwise the binary in embedded-redis.
 */
public record RedisServer(RedisAddress address, @Nullable Process process) implements AutoCloseable {

	private static final String LOOPBACK = "127.0.0.1";

	private static final int ATTEMPTS = 50;

	public static RedisServer obtain() throws IOException, InterruptedException {
		String given = System.getProperty("redis");
		if (given != null) {
			return new RedisServer(RedisAddress.parse(given), null);
		}
		RedisAddress address = new RedisAddress(LOOPBACK, Children.freePort());
		RedisServer server = new RedisServer(address, start(address));
		server.awaitReady();
		return server;
	}

	private static Process start(RedisAddress address) throws IOException {
		Path directory = Files.createTempDirectory("redis-benchmark");
		directory.toFile().deleteOnExit();
		try {
			return start("redis-server", address, directory);
		}
		catch (IOException ex) {
			System.err.println("No redis-server on the PATH, taking the embedded one: " + ex.getMessage());
			return start(ExecutableProvider.newJarResourceProvider().get().getPath(), address, directory);
		}
	}

	private static Process start(String executable, RedisAddress address, Path directory) throws IOException {
		return Children
			.start(new ProcessBuilder(executable, "--port", String.valueOf(address.port()), "--bind", address.host(),
					"--save", "", "--appendonly", "no", "--dir", directory.toString())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD));
	}

	private void awaitReady() throws InterruptedException {
		for (int attempt = 1; !isReady(attempt == ATTEMPTS); attempt++) {
			Thread.sleep(100);
		}
	}

	private boolean isReady(boolean lastAttempt) {
		try (RedisStats stats = new RedisStats(this.address)) {
			stats.version();
			return true;
		}
		catch (RedisConnectionException ex) {
			if (lastAttempt) {
				close();
				throw ex;
			}
			return false;
		}
	}

	@Override
	public void close() {
		if (this.process != null) {
			this.process.destroy();
		}
	}

}
