package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The application of one row, in its own JVM.
 */
record HttpServer(HttpRow row, URI address, Process process, Path log) implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final int TOO_MANY_REQUESTS = 429;

	/**
	 * Start the application of a row, without waiting until it is ready.
	 */
	static HttpServer start(HttpStack stack, HttpRow row, RedisAddress redis) throws IOException {
		int port = Children.freePort();
		Path log = log(stack, row);
		Process process = Children.start(new ProcessBuilder(command(stack, row, redis, port)).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.to(log.toFile())));
		return new HttpServer(row, URI.create("http://127.0.0.1:" + port + "/hello"), process, log);
	}

	private static Path log(HttpStack stack, HttpRow row) {
		return Path.of(System.getProperty("java.io.tmpdir"), "http-benchmark-" + stack + "-" + fileName(row) + ".log");
	}

	private static String fileName(HttpRow row) {
		return row.name().replaceAll("[^A-Za-z0-9]+", "-");
	}

	// The system property http.jvm contains the options of the application's JVM. In it,
	// %r is replaced with the name of the stack and of the row.
	private static List<String> command(HttpStack stack, HttpRow row, RedisAddress redis, int port) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		Settings.jvmOptions("http.jvm", "-Xms512m -Xmx512m")
			.forEach((option) -> command.add(option.replace("%r", stack + "-" + fileName(row))));
		command.addAll(List.of("-jar", stack.jar(row).toString(), "--server.port=" + port,
				"--benchmark.redis=redis://" + redis.host() + ":" + redis.port(),
				"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port()));
		row.properties().forEach((property) -> command.add("--" + property));
		return command;
	}

	/**
	 * Wait for the first response, which must have the rate limit header of the row.
	 */
	void awaitReady() throws InterruptedException {
		long end = System.nanoTime() + TIMEOUT.toNanos();
		while (this.process.isAlive() && System.nanoTime() < end) {
			if (isReady()) {
				return;
			}
			Thread.sleep(10);
		}
		close();
		throw new IllegalStateException("The application did not start, see " + this.log);
	}

	private boolean isReady() {
		try {
			HttpURLConnection response = get();
			boolean ready = response.getResponseCode() == HttpURLConnection.HTTP_OK;
			if (ready) {
				requireFields(response);
			}
			return ready;
		}
		catch (ConnectException ex) {
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// A row with a rate limit header must send it, and a row without one must not.
	private void requireFields(HttpURLConnection response) {
		String field = (this.row.field().isEmpty()) ? "RateLimit" : this.row.field();
		if ((response.getHeaderField(field) != null) != !this.row.field().isEmpty()) {
			throw new IllegalStateException("'" + this.row.name() + "' answers with " + response.getHeaderFields());
		}
	}

	/**
	 * Require that the application rejects the requests that exceed its low limit.
	 */
	void requireRejections(int limit) throws IOException {
		int allowed = 1;
		while (allowed <= limit && get().getResponseCode() == HttpURLConnection.HTTP_OK) {
			allowed++;
		}
		if (allowed != limit || get().getResponseCode() != TOO_MANY_REQUESTS) {
			throw new IllegalStateException(
					"'" + this.row.name() + "' allowed %d requests at a limit of %d".formatted(allowed, limit));
		}
	}

	private HttpURLConnection get() throws IOException {
		return (HttpURLConnection) this.address.toURL().openConnection();
	}

	double cpuMicros() {
		return Children.cpuSeconds(this.process.toHandle()) * 1e6;
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
