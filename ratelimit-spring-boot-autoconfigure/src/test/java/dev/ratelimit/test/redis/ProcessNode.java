package dev.ratelimit.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.springframework.util.FileSystemUtils;

/**
 * A server that is a child process of this JVM.
 */
final class ProcessNode implements RedisNode {

	private static final String HOST = "127.0.0.1";

	private static final Set<ProcessNode> OPEN = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(ProcessNode::close)));
	}

	private final int port;

	private final Path directory;

	private final List<String> command;

	private volatile ServerProcess process;

	private ProcessNode(int port, Path directory, List<String> command) {
		this.port = port;
		this.directory = directory;
		this.command = command;
		this.process = launch();
		awaitReady();
	}

	static ProcessNode start(Path executable, int port, List<String> arguments) {
		return start(port, (directory) -> {
			List<String> command = new ArrayList<>(List.of(executable.toString(), "--port", String.valueOf(port),
					"--bind", HOST, "--save", "", "--appendonly", "no", "--dir", directory.toString()));
			command.addAll(RedisRights.arguments());
			command.addAll(arguments);
			return command;
		});
	}

	/**
	 * Start a Sentinel. It needs a file, because it stores its state there.
	 */
	static ProcessNode startSentinel(Path executable, int port, List<String> configuration) {
		return start(port, (directory) -> {
			Path file = directory.resolve("sentinel.conf");
			List<String> lines = new ArrayList<>(List.of("port " + port, "bind " + HOST, "dir \"" + directory + "\""));
			lines.addAll(configuration);
			write(file, lines);
			return List.of(executable.toString(), file.toString(), "--sentinel");
		});
	}

	private static ProcessNode start(int port, Function<Path, List<String>> command) {
		Path directory = temporaryDirectory();
		try {
			ProcessNode node = new ProcessNode(port, directory, command.apply(directory));
			OPEN.add(node);
			return node;
		}
		catch (IllegalStateException ex) {
			delete(directory);
			throw ex;
		}
	}

	private static void write(Path file, List<String> lines) {
		try {
			Files.write(file, lines);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path temporaryDirectory() {
		try {
			return Files.createTempDirectory("test-redis");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private ServerProcess launch() {
		return ServerProcess.start(this.command, this.directory.resolve("redis.log"));
	}

	private void awaitReady() {
		this.process.awaitReady(HOST, this.port);
	}

	@Override
	public String host() {
		return HOST;
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public void kill() {
		this.process.kill();
	}

	@Override
	public void pause() {
		this.process.signal("-STOP");
	}

	@Override
	public void resume() {
		this.process.signal("-CONT");
	}

	@Override
	public void stop() {
		this.process.terminate();
	}

	@Override
	public void restart() {
		this.process.kill();
		this.process = launch();
		awaitReady();
	}

	@Override
	public void restartUnready() {
		this.process.kill();
		this.process = launch();
		this.process.awaitUp(HOST, this.port);
	}

	@Override
	public void close() {
		this.process.kill();
		OPEN.remove(this);
		delete(this.directory);
	}

	private static void delete(Path directory) {
		try {
			FileSystemUtils.deleteRecursively(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
