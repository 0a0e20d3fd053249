package dev.ratelimit.test.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.test.redis.FreePort;
import org.jspecify.annotations.Nullable;

import org.springframework.util.FileSystemUtils;

/**
 * A member, which is a child process of this JVM. Its ports never change.
 */
public final class TestEtcdMember {

	private static final String LOG = "etcd.log";

	private static final Set<TestEtcdMember> OPEN = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(TestEtcdMember::close)));
	}

	private final String name;

	private final int client;

	private final int peer;

	private final int encrypted;

	private final Path directory;

	private List<String> command = List.of();

	private volatile @Nullable Process process;

	private TestEtcdMember(String name, int client, int peer, int encrypted, Path directory) {
		this.name = name;
		this.client = client;
		this.peer = peer;
		this.encrypted = encrypted;
		this.directory = directory;
	}

	static TestEtcdMember reserve(int index) {
		try {
			return new TestEtcdMember("m" + index, FreePort.tryPorts((port) -> port), FreePort.tryPorts((port) -> port),
					FreePort.tryPorts((port) -> port), newDirectory());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// A member writes to its disk before it votes and before it replies. On a busy
	// machine, the write can take longer than the election timeout.
	private static Path newDirectory() throws IOException {
		Path memory = Path.of("/dev/shm");
		return (Files.isWritable(memory)) ? Files.createTempDirectory(memory, "test-etcd")
				: Files.createTempDirectory("test-etcd");
	}

	/**
	 * Return the last log lines of the member.
	 * @return the lines of all its runs
	 */
	String log() {
		try {
			List<String> lines = Files.readAllLines(this.directory.resolve(LOG));
			return String.join(System.lineSeparator(), lines.subList(Math.max(0, lines.size() - 20), lines.size()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String peer() {
		return this.name + "=http://127.0.0.1:" + this.peer;
	}

	public URI endpoint() {
		return URI.create("http://127.0.0.1:" + this.client);
	}

	/**
	 * Return the endpoint for clients with a certificate, if the member was started with
	 * one.
	 * @return the endpoint
	 */
	public URI encryptedEndpoint() {
		return URI.create("https://127.0.0.1:" + this.encrypted);
	}

	void start(String cluster, Optional<TestCertificate> certificate) {
		String client = endpoint() + ((certificate.isPresent()) ? "," + encryptedEndpoint() : "");
		this.command = new ArrayList<>(List.of(InstalledEtcd.ofEnvironment().orElseThrow().toString(), "--name",
				this.name, "--data-dir", this.directory.resolve("data").toString(), "--listen-client-urls", client,
				"--advertise-client-urls", endpoint().toString(), "--listen-peer-urls", "http://127.0.0.1:" + this.peer,
				"--initial-advertise-peer-urls", "http://127.0.0.1:" + this.peer, "--initial-cluster", cluster,
				"--initial-cluster-token", "test", "--logger", "zap"));
		certificate.ifPresent((files) -> this.command
			.addAll(List.of("--cert-file", files.certificate().toString(), "--key-file", files.key().toString(),
					"--trusted-ca-file", files.certificate().toString(), "--client-cert-auth")));
		OPEN.add(this);
		restart();
	}

	/** Restart the member with its data. */
	public void restart() {
		try {
			this.process = new ProcessBuilder(this.command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve(LOG).toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public boolean isUp() {
		Process running = this.process;
		return running != null && running.isAlive();
	}

	/** Kill the member immediately. */
	public void kill() {
		Process running = this.process;
		if (running != null) {
			running.destroyForcibly();
			await(running);
		}
	}

	public void pause() {
		signal("-STOP");
	}

	public void resume() {
		signal("-CONT");
	}

	private void signal(String signal) {
		Process running = this.process;
		try {
			if (running == null
					|| new ProcessBuilder("kill", signal, String.valueOf(running.pid())).start().waitFor() != 0) {
				throw new IllegalStateException("kill " + signal + " failed");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
	}

	private static void await(Process ending) {
		try {
			if (!ending.waitFor(10, TimeUnit.SECONDS)) {
				throw new IllegalStateException("etcd does not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
	}

	void close() {
		kill();
		OPEN.remove(this);
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
