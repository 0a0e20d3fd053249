package dev.ratelimit.test.prometheus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.ratelimit.test.clients.Command;
import dev.ratelimit.test.redis.FreePort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.FileSystemUtils;

/**
 * A Prometheus for one test, which scrapes applications four times a second.
 */
public final class TestPrometheus implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String CONFIGURATION = """
			global:
			  scrape_interval: 250ms
			  scrape_timeout: 250ms
			scrape_configs:
			  - job_name: test
			    metrics_path: /actuator/prometheus
			    static_configs:
			      - targets: [%s]
			""";

	private final HttpClient http = HttpClient.newHttpClient();

	private final Process process;

	private final Path directory;

	private final int port;

	private TestPrometheus(Process process, Path directory, int port) {
		this.process = process;
		this.directory = directory;
		this.port = port;
	}

	/**
	 * Run {@code promtool}, which must succeed.
	 * @param directory the working directory
	 * @param arguments its arguments
	 * @return the lines of its output
	 */
	public static List<String> promtool(Path directory, String... arguments) {
		List<String> command = new ArrayList<>();
		command.add(InstalledPrometheus.ofEnvironment().orElseThrow().promtool().toString());
		command.addAll(List.of(arguments));
		return Command.run(directory, command);
	}

	/**
	 * Start a server.
	 * @param ports the ports of the applications to scrape
	 * @return the server, which must be closed
	 */
	public static TestPrometheus scraping(Integer... ports) {
		return FreePort.tryPorts((port) -> start(port, List.of(ports)));
	}

	private static TestPrometheus start(int port, List<Integer> scraped) {
		try {
			Path directory = Files.createTempDirectory("prometheus");
			String targets = scraped.stream()
				.map((target) -> "'localhost:" + target + "'")
				.collect(Collectors.joining(", "));
			Path configuration = Files.writeString(directory.resolve("prometheus.yml"),
					CONFIGURATION.formatted(targets));
			Process process = new ProcessBuilder(InstalledPrometheus.ofEnvironment().orElseThrow().server().toString(),
					"--config.file=" + configuration, "--storage.tsdb.path=" + directory.resolve("data"),
					"--web.listen-address=127.0.0.1:" + port)
				.redirectErrorStream(true)
				.redirectOutput(directory.resolve("log").toFile())
				.start();
			TestPrometheus started = new TestPrometheus(process, directory, port);
			started.awaitReady();
			return started;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void awaitReady() throws IOException {
		long start = System.nanoTime();
		while (!isReady()) {
			if (!this.process.isAlive() || System.nanoTime() - start > LIMIT.toNanos()) {
				String log = Files.readString(this.directory.resolve("log"));
				close();
				throw new IllegalStateException("Prometheus did not start: " + log);
			}
			pause();
		}
	}

	private boolean isReady() {
		try {
			return get("/-/ready").statusCode() == 200;
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	private static void pause() {
		try {
			TimeUnit.MILLISECONDS.sleep(50);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	/**
	 * Evaluate an expression.
	 * @param expression the expression
	 * @return the labels of each series that it returns
	 * @throws IllegalArgumentException if Prometheus rejects the expression
	 */
	public List<Map<String, String>> query(String expression) {
		HttpResponse<String> response = get(
				"/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
		JsonNode answer = JsonMapper.shared().readTree(response.body());
		if (!answer.path("status").asString().equals("success")) {
			throw new IllegalArgumentException(expression + ": " + response.body());
		}
		return answer.path("data").path("result").valueStream().map(TestPrometheus::labels).toList();
	}

	private static Map<String, String> labels(JsonNode series) {
		return series.path("metric")
			.propertyStream()
			.collect(Collectors.toMap(Map.Entry::getKey, (label) -> label.getValue().asString()));
	}

	private HttpResponse<String> get(String path) {
		try {
			return this.http.send(
					HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path)).timeout(LIMIT).build(),
					HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static IllegalStateException interrupted(InterruptedException cause) {
		Thread.currentThread().interrupt();
		return new IllegalStateException("interrupted while waiting for Prometheus", cause);
	}

}
