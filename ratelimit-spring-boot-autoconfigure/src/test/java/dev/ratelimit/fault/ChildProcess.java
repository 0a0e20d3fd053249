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
 * A {@link ChildApplication} that runs, with little memory.
 */
final class ChildProcess implements AutoCloseable {

	/** For what hangs: on a busy machine, a cold JVM starts for more than a minute. */
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
	 * @param arguments of the application, and before them system properties of its JVM
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
	 * What the child has printed besides its answers.
	 */
	List<String> log() {
		return List.copyOf(this.log);
	}

	/**
	 * Have the child do something, and wait until it is done.
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
	 * The child's heap after a collection, and its threads without the server's workers.
	 */
	Footprint footprint() {
		String[] numbers = call("footprint").split(" ");
		return new Footprint(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
	}

	/**
	 * What the child has gone through.
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
		// It has ended, and a thread that waits for a response must be woken up.
		this.answers.offer("");
	}

	/**
	 * End the child without a word to it, and wait until it is gone.
	 */
	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/**
	 * What a process takes.
	 *
	 * @param heap bytes in use
	 * @param threads how many, without the server's workers
	 */
	record Footprint(long heap, int threads) {

	}

	/**
	 * What a process has gone through.
	 *
	 * @param outages how often it held the store for unavailable
	 * @param collectionMillis what the collector has taken
	 */
	record Strain(int outages, long collectionMillis) {

	}

}
