package dev.ratelimit.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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

	private ProcessNode(Path executable, int port, Path directory, List<String> arguments) {
		this.port = port;
		this.directory = directory;
		this.command = new ArrayList<>(List.of(executable.toString(), "--port", String.valueOf(port), "--bind", HOST,
				"--save", "", "--appendonly", "no", "--dir", directory.toString()));
		this.command.addAll(arguments);
		this.process = launch();
	}

	static ProcessNode start(Path executable, int port, List<String> arguments) {
		Path directory = temporaryDirectory();
		try {
			ProcessNode node = new ProcessNode(executable, port, directory, arguments);
			OPEN.add(node);
			return node;
		}
		catch (IllegalStateException ex) {
			delete(directory);
			throw ex;
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
		ServerProcess launched = ServerProcess.start(this.command, this.directory.resolve("redis.log"));
		launched.awaitReady(HOST, this.port);
		return launched;
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
