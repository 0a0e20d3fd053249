package dev.ratelimit.benchmarks.crowd;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.ratelimit.benchmarks.Children;

/**
 * The application of a row, in its own JVM. It reads commands from its standard input,
 * and responds on its standard output.
 */
record CrowdServer(InetSocketAddress address, Process process, BufferedReader output,
		Path log) implements AutoCloseable {

	private static final Path JAR = Path.of("benchmarks", "overload", "target", "overload.jar");

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	static CrowdServer start(String name, List<String> properties) throws IOException, InterruptedException {
		if (!Files.isReadable(JAR)) {
			throw new IllegalStateException("There is no " + JAR + ": run 'mvn -pl benchmarks,benchmarks/overload -am"
					+ " package -DskipTests', and this from the top of the project");
		}
		InetSocketAddress address = new InetSocketAddress("127.0.0.1", Children.freePort());
		Path log = Path.of(System.getProperty("java.io.tmpdir"), "crowd-" + name + ".log");
		Process process = Children
			.start(new ProcessBuilder(command(address.getPort(), properties, log)).redirectError(log.toFile()));
		CrowdServer server = new CrowdServer(address, process,
				new BufferedReader(process.inputReader(StandardCharsets.UTF_8)), log);
		server.awaitReady();
		return server;
	}

	private static List<String> command(int port, List<String> properties, Path log) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(List.of(System.getProperty("crowd.jvm", "-Xms1g -Xmx3g -XX:+UseParallelGC").split(" ")));
		command.addAll(List.of("-jar", JAR.toString(), "--server.port=" + port, "--server.tomcat.max-connections=20000",
				"--server.tomcat.accept-count=4096"));
		properties.forEach((property) -> command.add("--" + property));
		return command;
	}

	private void awaitReady() throws IOException, InterruptedException {
		long end = System.nanoTime() + TIMEOUT.toNanos();
		while (this.process.isAlive() && System.nanoTime() < end) {
			try (CrowdClient client = new CrowdClient(this.address)) {
				client.connect(1);
				client.send((i) -> "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n");
				client.awaitAnswers(1, Duration.ofSeconds(5));
				return;
			}
			catch (IOException ex) {
				Thread.sleep(50);
			}
		}
		boolean ended = !this.process.isAlive();
		close();
		throw new IllegalStateException("The application " + ((ended) ? "has ended" : "did not respond") + ", see "
				+ this.log + "; its output:\n" + this.output.lines().collect(Collectors.joining("\n")));
	}

	/**
	 * Return the state of the server after a garbage collection.
	 */
	Look look() throws IOException {
		return ask("look");
	}

	/**
	 * Return the state of the server without a garbage collection. The size of its heap
	 * has no meaning then.
	 */
	Look glance() throws IOException {
		return ask("glance");
	}

	private Look ask(String order) throws IOException {
		this.process.outputWriter(StandardCharsets.US_ASCII).append(order).append('\n').flush();
		String line = this.output.readLine();
		while (line != null && !line.startsWith("look ")) {
			line = this.output.readLine();
		}
		if (line == null) {
			throw new IOException("The application has ended, see " + this.log);
		}
		return Look.parse(line);
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
