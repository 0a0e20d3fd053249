package dev.ratelimit.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One run of a server executable.
 */
final class ServerProcess {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private static final long POLL_MILLIS = 5;

	private final Process process;

	private final Path log;

	private ServerProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	static ServerProcess start(List<String> command, Path log) {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
			return new ServerProcess(process, log);
		}
		catch (IOException ex) {
			throw new IllegalStateException("cannot start " + command, ex);
		}
	}

	/**
	 * Wait until the server executes commands.
	 */
	void awaitReady(String host, int port) {
		await(port, () -> isUp(host, port) && answers(host, port, "PONG", "PING"));
	}

	/**
	 * Wait until the server replies, even if it is still loading data.
	 */
	void awaitUp(String host, int port) {
		await(port, () -> isUp(host, port));
	}

	private void await(int port, BooleanSupplier condition) {
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (exitsWithin(POLL_MILLIS) || System.nanoTime() - start > LIMIT.toNanos()) {
				kill();
				throw new IllegalStateException("no redis on port %d: %s".formatted(port, log()));
			}
		}
	}

	// Compare the process ID, because another server may have taken the port first.
	private boolean isUp(String host, int port) {
		return answers(host, port, "process_id:" + this.process.pid() + "\r\n", "INFO", "server");
	}

	private static boolean answers(String host, int port, String expected, String... command) {
		try (RespClient client = RespClient.connect(host, port, Duration.ofSeconds(1))) {
			return client.call(command).contains(expected);
		}
		catch (UncheckedIOException | IllegalStateException ex) {
			return false;
		}
	}

	void signal(String signal) {
		try {
			Process kill = new ProcessBuilder("kill", signal, String.valueOf(this.process.pid())).start();
			if (kill.waitFor() != 0) {
				throw new IllegalStateException("kill %s failed: is the server running?".formatted(signal));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	void kill() {
		this.process.destroyForcibly();
		awaitExit();
	}

	void terminate() {
		this.process.destroy();
		awaitExit();
	}

	private void awaitExit() {
		if (!exitsWithin(LIMIT.toMillis())) {
			throw new IllegalStateException("the server does not end: " + log());
		}
	}

	private boolean exitsWithin(long millis) {
		try {
			return this.process.waitFor(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	private String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static IllegalStateException interrupted(InterruptedException ex) {
		Thread.currentThread().interrupt();
		return new IllegalStateException("interrupted while waiting for a test redis", ex);
	}

}
