package dev.ratelimit.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A running {@link ChildApplication} with little memory.
 */
final class ChildProcess implements AutoCloseable {

	/**
	 * The timeout for hanging commands. On a busy machine, a JVM takes more than a minute
	 * to start.
	 */
	private static final long TIMEOUT_SECONDS = 300;

	private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(16);

	private final Queue<String> log = new ConcurrentLinkedQueue<>();

	private final Process process;

	private final int port;

	private ChildProcess(List<String> command) {
		try {
			this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		new Thread(this::read, "child-output").start();
		this.port = Integer.parseInt(answer());
	}

	/**
	 * Start an application.
	 * @param arguments system properties of the JVM, followed by arguments of the
	 * application
	 */
	static ChildProcess start(String... arguments) {
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:+ExitOnOutOfMemoryError", "-cp", classPath));
		Stream.of(arguments).filter(ChildProcess::isOfJvm).forEach(command::add);
		command.add(ChildApplication.class.getName());
		Stream.of(arguments).filter((argument) -> !isOfJvm(argument)).forEach(command::add);
		return new ChildProcess(command);
	}

	private static boolean isOfJvm(String argument) {
		return argument.startsWith("-D");
	}

	int port() {
		return this.port;
	}

	/**
	 * Return the output of the child, without its replies.
	 */
	List<String> log() {
		return List.copyOf(this.log);
	}

	/**
	 * Send a command to the child and wait for its completion.
	 */
	String call(String command) {
		try {
			OutputStream in = this.process.getOutputStream();
			in.write((command + "\n").getBytes(StandardCharsets.UTF_8));
			in.flush();
			return answer();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the heap usage of the child after a collection, and its number of threads
	 * without the workers of the server.
	 */
	Footprint footprint() {
		String[] numbers = call("footprint").split(" ");
		return new Footprint(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
	}

	/**
	 * Return the outages and the collection time of the child.
	 */
	Strain strain() {
		String[] numbers = call("state").split(" ");
		return new Strain(Integer.parseInt(numbers[0]), Long.parseLong(numbers[1]));
	}

	private String answer() {
		try {
			String answer = this.answers.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
			if (answer == null || answer.isEmpty()) {
				throw new IllegalStateException("the child does not answer: " + this.log);
			}
			return answer;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
	}

	private void read() {
		new BufferedReader(new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8)).lines()
			.forEach((line) -> {
				if (line.startsWith(ChildApplication.MARK)) {
					this.answers.add(line.substring(ChildApplication.MARK.length()));
				}
				else {
					this.log.add(line);
				}
			});
		// The child has ended. Wake up a thread that waits for a reply.
		this.answers.offer("");
	}

	/**
	 * Kill the child and wait for its end.
	 */
	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/**
	 * The resources of a process.
	 *
	 * @param heap the used bytes
	 * @param threads the number of threads, without the workers of the server
	 */
	record Footprint(long heap, int threads) {

	}

	/**
	 * The load on a process.
	 *
	 * @param outages the number of times that it considered the store unavailable
	 * @param collectionMillis the total time of garbage collection in milliseconds
	 */
	record Strain(int outages, long collectionMillis) {

	}

}
