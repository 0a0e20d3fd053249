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
import java.util.stream.Stream;

/**
 * The application of one row, in a JVM of its own.
 */
record HttpServer(HttpRow row, URI address, Process process) implements AutoCloseable {

	private static final int ATTEMPTS = 300;

	/**
	 * Start a row's application.
	 * @param stack its stack
	 * @param row the row
	 * @param redis where Redis is
	 * @return the application, which answers already
	 */
	static HttpServer start(HttpStack stack, HttpRow row, RedisAddress redis) throws IOException, InterruptedException {
		int port = RedisServer.freePort();
		Process process = new ProcessBuilder(command(stack, row, redis, port)).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.to(log(stack, row).toFile()))
			.start();
		HttpServer server = new HttpServer(row, URI.create("http://127.0.0.1:" + port + "/hello"), process);
		server.awaitReady(log(stack, row));
		return server;
	}

	private static Path log(HttpStack stack, HttpRow row) {
		return Path.of(System.getProperty("java.io.tmpdir"),
				"http-benchmark-" + stack + "-" + row.name().replace(' ', '-') + ".log");
	}

	// What -Djvm says goes to the application's JVM, with the row's name for %r.
	private static List<String> command(HttpStack stack, HttpRow row, RedisAddress redis, int port) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		String options = System.getProperty("jvm", "-Xms512m -Xmx512m")
			.replace("%r", stack + "-" + row.name().replace(' ', '-'));
		Stream.of(options.split(" ")).filter((option) -> !option.isEmpty()).forEach(command::add);
		command.addAll(List.of("-jar", stack.jar().toString(), "--server.port=" + port,
				"--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port()));
		row.properties().forEach((property) -> command.add("--" + property));
		return command;
	}

	private void awaitReady(Path log) throws InterruptedException {
		for (int attempt = 1; attempt <= ATTEMPTS && this.process.isAlive(); attempt++) {
			if (isReady()) {
				return;
			}
			Thread.sleep(100);
		}
		close();
		throw new IllegalStateException("The application did not start, see " + log);
	}

	// What says it tells of limits must do so, and what says it does not must not.
	private boolean isReady() {
		try {
			HttpURLConnection connection = (HttpURLConnection) this.address.toURL().openConnection();
			boolean ready = connection.getResponseCode() == HttpURLConnection.HTTP_OK;
			if (ready && (connection.getHeaderField("RateLimit") != null) != this.row.tells()) {
				throw new IllegalStateException(
						"'" + this.row.name() + "' answers with " + connection.getHeaderFields());
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

	double cpuMicros() {
		return this.process.toHandle().info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e3;
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
