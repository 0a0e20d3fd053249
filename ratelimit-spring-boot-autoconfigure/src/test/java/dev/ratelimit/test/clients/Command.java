package dev.ratelimit.test.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program to its end.
 */
public final class Command {

	private static final long TIMEOUT_SECONDS = 180;

	private Command() {
	}

	/**
	 * Return whether a program runs.
	 * @param command the program and its arguments
	 * @return whether the program exists and succeeds
	 */
	static boolean works(String... command) {
		try {
			Process process = start(Path.of("."), List.of(command));
			CompletableFuture<String> output = output(process);
			return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0
					&& output.join() != null;
		}
		catch (IOException ex) {
			// The program does not exist.
			return false;
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	/**
	 * Run a program that must succeed.
	 * @param directory the working directory
	 * @param command the program and its arguments
	 * @return the lines of its output
	 */
	public static List<String> run(Path directory, List<String> command) {
		try {
			Process process = start(directory, command);
			CompletableFuture<String> output = output(process);
			if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
				process.destroyForcibly();
			}
			if (process.waitFor() != 0) {
				throw new IllegalStateException(command + " failed: " + output.join());
			}
			return output.join().lines().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	private static Process start(Path directory, List<String> command) throws IOException {
		Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
		process.getOutputStream().close();
		return process;
	}

	private static CompletableFuture<String> output(Process process) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static IllegalStateException interrupted(InterruptedException cause) {
		Thread.currentThread().interrupt();
		return new IllegalStateException("interrupted while a program ran", cause);
	}

}
