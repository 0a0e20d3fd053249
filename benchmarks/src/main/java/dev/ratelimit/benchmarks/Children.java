package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;

/**
 * Processes that end with this one, also when it is interrupted.
 */
public final class Children {

	private Children() {
	}

	public static Process start(ProcessBuilder command) throws IOException {
		Process process = command.start();
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
		return process;
	}

	/**
	 * A port of this machine that nothing listens on.
	 */
	public static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * The time that all threads of a process have run.
	 */
	public static double cpuSeconds(ProcessHandle process) {
		return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
	}

}
