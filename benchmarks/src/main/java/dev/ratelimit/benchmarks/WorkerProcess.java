package dev.ratelimit.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.benchmarks.report.Figures;
import org.jspecify.annotations.Nullable;

/**
 * The process of a {@link Worker}, to which the program sends commands.
 */
final class WorkerProcess implements AutoCloseable {

	private final Assignment assignment;

	private final Process process;

	private final BufferedReader answers;

	private final PrintStream commands;

	private WorkerProcess(Assignment assignment, Process process) {
		this.assignment = assignment;
		this.process = process;
		this.answers = process.inputReader(StandardCharsets.UTF_8);
		this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
	}

	/**
	 * Start workers, as many at a time as there are cores, so that Redis responds to them
	 * in time.
	 * @param workers the map to add the workers to, including those that were started
	 * before a worker fails
	 */
	static void startAll(List<Assignment> assignments, RedisAddress redis, Map<Assignment, WorkerProcess> workers)
			throws IOException {
		List<WorkerProcess> starting = new ArrayList<>();
		for (Assignment assignment : assignments) {
			WorkerProcess worker = start(assignment, redis);
			workers.put(assignment, worker);
			starting.add(worker);
			if (starting.size() == Runtime.getRuntime().availableProcessors()) {
				awaitReady(starting);
			}
		}
		awaitReady(starting);
	}

	/**
	 * Start one worker, and wait until it is ready.
	 */
	static WorkerProcess started(Assignment assignment, RedisAddress redis) throws IOException {
		WorkerProcess worker = start(assignment, redis);
		try {
			worker.answer();
			return worker;
		}
		catch (IOException | RuntimeException ex) {
			worker.close();
			throw ex;
		}
	}

	private static void awaitReady(List<WorkerProcess> starting) throws IOException {
		for (WorkerProcess worker : starting) {
			worker.answer();
		}
		starting.clear();
	}

	static WorkerProcess of(@Nullable Assignment assignment, Map<Assignment, WorkerProcess> workers) {
		return Optional.ofNullable(workers.get(assignment)).orElseThrow();
	}

	private static WorkerProcess start(Assignment assignment, RedisAddress redis) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(Settings.jvmOptions("jvm", "-Xms512m -Xmx2g"));
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), Worker.class.getName(),
				redis.host() + ":" + redis.port(), assignment.toText()));
		return new WorkerProcess(assignment,
				Children.start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)));
	}

	Figures measure(Load load, Duration ramp, Duration time) throws IOException {
		return ask("measure " + load.toText() + " " + ramp + " " + time);
	}

	Figures ask(String command) throws IOException {
		this.commands.println(command);
		return Figures.parse(answer());
	}

	private String answer() throws IOException {
		for (String line = this.answers.readLine(); line != null; line = this.answers.readLine()) {
			if (line.startsWith(Worker.ANSWER)) {
				return line.substring(Worker.ANSWER.length());
			}
			System.err.println(line);
		}
		throw new IllegalStateException("The worker ended, see above: " + this.assignment.toText());
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}
