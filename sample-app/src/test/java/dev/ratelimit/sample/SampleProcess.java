package dev.ratelimit.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sample in its own JVM, with its output.
 */
final class SampleProcess implements AutoCloseable {

	private static final int TIMEOUT_SECONDS = 180;

	private static final Pattern PORT = Pattern.compile(".*(?:Tomcat|Netty) started on port (\\d+).*");

	private final Queue<String> log = new ConcurrentLinkedQueue<>();

	private final CompletableFuture<Integer> port = new CompletableFuture<>();

	private final Process process;

	private SampleProcess(Process process) {
		this.process = process;
		new Thread(this::read, "sample-output").start();
	}

	static SampleProcess start(String classPath, String main, List<String> options, List<String> arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath));
		command.addAll(options);
		command.add(main);
		command.addAll(arguments);
		try {
			return new SampleProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.port.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
	}

	/**
	 * Wait until the process ends.
	 */
	int end() {
		try {
			if (!this.process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
				throw new AssertionError("it does not end: " + this);
			}
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

	private void read() {
		new BufferedReader(new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8)).lines()
			.forEach((line) -> {
				this.log.add(line);
				Matcher started = PORT.matcher(line);
				if (started.matches()) {
					this.port.complete(Integer.parseInt(started.group(1)));
				}
			});
		this.port.completeExceptionally(new AssertionError("it has ended: " + this));
	}

	@Override
	public String toString() {
		return String.join("\n", this.log);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
