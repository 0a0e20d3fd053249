package dev.ratelimit.test;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Ends this JVM, and with it the build, if a step takes longer than its bound. A step is
 * a test, the code before or after it, the closing of an application, or the end of the
 * JVM. Prints the stacks of all threads. The bounds are wide enough for a busy machine.
 */
public final class HangDetector {

	/** The bound of one step of an ordinary test. */
	public static final Duration STEP = seconds("test.step.seconds", 180);

	/** The bound of one step of a long-running test. */
	public static final Duration LONG_STEP = STEP.multipliedBy(7);

	/** The bound of all tests of this JVM. */
	private static final Duration FORK = seconds("test.fork.seconds", 0);

	/** The bound of the shutdown of this JVM. */
	private static final Duration EXIT = seconds("test.exit.seconds", 60);

	private static final Duration LOOK = Duration.ofMillis(500);

	private static volatile Step current = new Step("the start", STEP, System.nanoTime());

	static {
		Thread thread = new Thread(HangDetector::watch, "hang-detector");
		thread.setDaemon(true);
		thread.start();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> begin("The end of the JVM", EXIT)));
	}

	private HangDetector() {
	}

	/**
	 * Begin a step, and end the step before it.
	 * @param name the name of the step
	 * @param bound the maximum duration of the step; zero for no limit
	 */
	public static void begin(String name, Duration bound) {
		current = new Step(name, bound, System.nanoTime());
	}

	private static void watch() {
		while (true) {
			Step step = current;
			if (isOver(step.bound(), Duration.ofNanos(System.nanoTime() - step.startNanos()))) {
				end(step.name() + " takes longer than " + step.bound().toSeconds() + " seconds");
			}
			if (isOver(FORK, Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime()))) {
				end("The tests of this JVM take longer than " + FORK.toSeconds() + " seconds. Under way: "
						+ step.name());
			}
			sleep(LOOK);
		}
	}

	private static boolean isOver(Duration bound, Duration taken) {
		return !bound.isZero() && taken.compareTo(bound) > 0;
	}

	// An exit stops the servers that tests started. It blocks if a shutdown is already
	// running.
	private static void end(String reason) {
		// System.err is not an option, because the build stops reading it after the
		// tests.
		new PrintStream(new FileOutputStream(FileDescriptor.err), true)
			.println(reason + ". This JVM ends now; its threads:\n" + threads());
		Thread exit = new Thread(() -> System.exit(1), "hang-detector-exit");
		exit.setDaemon(true);
		exit.start();
		sleep(EXIT);
		Runtime.getRuntime().halt(1);
	}

	private static String threads() {
		String platform = diagnose("threadPrint", "-l");
		return (Runtime.version().feature() < 21) ? platform : platform + virtualThreads();
	}

	private static String virtualThreads() {
		try {
			Path file = Files.createTempFile("threads", ".txt");
			diagnose("threadDumpToFile", "-overwrite", file.toString());
			String text = Files.readString(file);
			Files.delete(file);
			return "Virtual threads too:\n" + text;
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	private static String diagnose(String command, String... arguments) {
		try {
			return String.valueOf(ManagementFactory.getPlatformMBeanServer()
				.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), command,
						new Object[] { arguments }, new String[] { String[].class.getName() }));
		}
		catch (JMException ex) {
			return ex.toString();
		}
	}

	private static void sleep(Duration time) {
		try {
			Thread.sleep(time.toMillis());
		}
		catch (InterruptedException ex) {
			// The thread ignores the interrupt, because it must keep watching.
			Thread.currentThread().interrupt();
		}
	}

	private static Duration seconds(String property, int otherwise) {
		return Duration.ofSeconds(Integer.getInteger(property, otherwise));
	}

	private record Step(String name, Duration bound, long startNanos) {

	}

}
