package dev.ratelimit.test.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;

/**
 * Runs the programs in {@code src/test/resources/clients} if Node.js with npm, or Python
 * with urllib3, is installed. With {@code -Dtest.clients=required}, a missing
 * installation is a failure.
 */
public final class ClientPrograms {

	private static final Path SOURCES = Path.of("src", "test", "resources", "clients");

	private static final Path HOME = Path.of("target", "clients");

	private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

	private ClientPrograms() {
	}

	/**
	 * Run a program for Node.js, with the packages of the lock file.
	 * @param arguments the program's file name and its arguments
	 * @return the lines of its output
	 */
	public static List<String> node(String... arguments) {
		requireNode();
		return run("node", arguments);
	}

	/**
	 * Read a script of a package of the lock file, for browsers.
	 * @param path the path of the script below the directory of all packages
	 * @return the script
	 */
	public static String script(String path) {
		requireNode();
		try {
			return Files.readString(HOME.resolve("node_modules").resolve(path));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Run a program for Python with urllib3.
	 * @param arguments the program's file name and its arguments
	 * @return the lines of its output
	 */
	public static List<String> python(String... arguments) {
		Optional<String> python = PYTHONS.stream()
			.filter((candidate) -> Command.works(candidate, "-c", "import urllib3"))
			.findFirst();
		require(python.isPresent(), "Python with urllib3");
		copy();
		return run(python.orElseThrow(), arguments);
	}

	/**
	 * Run a program for Python that needs only the standard library.
	 * @param program the file of the program
	 */
	public static void python(Path program) {
		require(Command.works("python3", "--version"), "Python");
		Command.run(program.toAbsolutePath().getParent(), List.of("python3", program.getFileName().toString()));
	}

	private static List<String> run(String interpreter, String... arguments) {
		List<String> command = new ArrayList<>(List.of(interpreter));
		command.addAll(List.of(arguments));
		return Command.run(HOME, command);
	}

	/**
	 * Run a shell command from a documentation page.
	 * @param command the command
	 * @param programs the programs that it needs; the test is skipped without them
	 * @return the lines of its output
	 */
	public static List<String> shell(String command, String... programs) {
		for (String program : programs) {
			require(Command.works(program, "--version"), program);
		}
		return Command.run(Path.of("."), List.of("bash", "-c", command));
	}

	private static void requireNode() {
		require(Command.works("node", "--version") && Command.works("npm", "--version"), "Node.js with npm");
		install();
	}

	private static void require(boolean there, String what) {
		if (System.getProperty("test.clients", "").equals("required") && !there) {
			throw new IllegalStateException(what + " is required and not there");
		}
		Assumptions.assumeTrue(there, () -> what + " is not there");
	}

	// The packages remain installed until the lock file changes.
	private static synchronized void install() {
		try {
			Path installed = HOME.resolve("installed-lock.json");
			Path lock = SOURCES.resolve("package-lock.json");
			copy();
			if (!Files.exists(installed) || Files.mismatch(installed, lock) >= 0) {
				Command.run(HOME, List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
				Files.write(installed, Files.readAllBytes(lock));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static synchronized void copy() {
		try (Stream<Path> sources = Files.list(SOURCES)) {
			Files.createDirectories(HOME);
			for (Path source : sources.toList()) {
				Files.write(HOME.resolve(source.getFileName()), Files.readAllBytes(source));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
