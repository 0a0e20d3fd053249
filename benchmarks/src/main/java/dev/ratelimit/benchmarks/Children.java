package dev.ratelimit.benchmarks;

import java.io.IOException;

/**
 * Processes that end with this one, also when it is interrupted.
 */
final class Children {

	private Children() {
	}

	static Process start(ProcessBuilder command) throws IOException {
		Process process = command.start();
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
		return process;
	}

}
