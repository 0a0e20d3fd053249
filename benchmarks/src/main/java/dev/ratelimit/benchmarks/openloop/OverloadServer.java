package dev.ratelimit.benchmarks.openloop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.benchmarks.Children;

/**
 * The application of one contestant, in its own JVM.
 */
record OverloadServer(InetSocketAddress address, Process process, Path log) implements AutoCloseable {

	private static final Path JAR = Path.of("benchmarks", "overload", "target", "overload.jar");

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	static OverloadServer start(OverloadContestant contestant, Plan plan) throws IOException, InterruptedException {
		if (!Files.isReadable(JAR)) {
			throw new IllegalStateException("There is no " + JAR + ": run 'mvn -pl benchmarks,benchmarks/overload -am"
					+ " package -DskipTests', and this from the top of the project");
		}
		InetSocketAddress address = new InetSocketAddress("127.0.0.1", Children.freePort());
		Path log = Path.of(System.getProperty("java.io.tmpdir"), "overload-" + contestant.fileName() + ".log");
		Process process = Children
			.start(new ProcessBuilder(command(contestant, plan, address.getPort())).redirectErrorStream(true)
				.redirectOutput(log.toFile()));
		OverloadServer server = new OverloadServer(address, process, log);
		server.awaitReady();
		return server;
	}

	private static List<String> command(OverloadContestant contestant, Plan plan, int port) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(List.of(System.getProperty("http.jvm", "-Xms512m -Xmx512m").split(" ")));
		command.addAll(List.of("-jar", JAR.toString(), "--server.port=" + port,
				"--benchmark.backend.slots=" + plan.slots(), "--benchmark.backend.sigma=" + Plan.SIGMA,
				"--benchmark.backend.median=" + Math.round(Plan.MEDIAN_SECONDS * 1000) + "ms"));
		contestant.properties().forEach((property) -> command.add("--" + property));
		return command;
	}

	private void awaitReady() throws InterruptedException {
		long end = System.nanoTime() + TIMEOUT.toNanos();
		while (this.process.isAlive() && System.nanoTime() < end) {
			if (serves()) {
				return;
			}
			Thread.sleep(20);
		}
		close();
		throw new IllegalStateException("The application did not start, see " + this.log);
	}

	private boolean serves() {
		URI uri = URI.create("http://127.0.0.1:" + this.address.getPort() + Level.CRITICAL.path());
		try {
			HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
			return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
		}
		catch (ConnectException ex) {
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The application does not serve, see " + this.log, ex);
		}
	}

	/**
	 * Multiply the original service times of the backend by a factor, from now on.
	 */
	void slowBy(double times) {
		try {
			this.process.getOutputStream().write((times + "\n").getBytes(StandardCharsets.US_ASCII));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The application has ended, see " + this.log, ex);
		}
	}

	/**
	 * Return the numbers of requests that a load guard had shed before the rules and
	 * after them, at each call of {@link #slowBy}; empty without a guard.
	 */
	List<long[]> shed() throws IOException {
		try (Stream<String> lines = Files.lines(this.log)) {
			return lines.filter((line) -> line.startsWith("shed "))
				.map((line) -> line.split(" "))
				.map((words) -> new long[] { Long.parseLong(words[1]), Long.parseLong(words[2]) })
				.toList();
		}
	}

	double cpuSeconds() {
		return Children.cpuSeconds(this.process.toHandle());
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
