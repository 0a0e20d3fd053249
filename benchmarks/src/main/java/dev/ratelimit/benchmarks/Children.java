package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Starts processes that end with this process, even if it is interrupted.
 */
public final class Children {

	private static final int FIRST_PORT = 20_000;

	private static final int PORTS = 10_000;

	private static final AtomicInteger nextPort = new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

	private Children() {
	}

	public static Process start(ProcessBuilder command) throws IOException {
		Process process = command.start();
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
		return process;
	}

	/**
	 * Return a port of this machine that no process listens on. The port is outside the
	 * range from which the system takes the ports of outgoing connections. Otherwise, a
	 * connection could take the port before the process does. A connection that tests
	 * whether the process listens could also connect to itself.
	 */
	public static int freePort() {
		for (int i = 0; i < PORTS; i++) {
			int port = FIRST_PORT + Math.floorMod(nextPort.getAndIncrement(), PORTS);
			if (isFree(port)) {
				return port;
			}
		}
		throw new IllegalStateException("No port from " + FIRST_PORT + " is free");
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port)) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Return whether a process listens on a port of this machine.
	 */
	public static boolean listens(int port) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Return the CPU time of all threads of a process.
	 */
	public static double cpuSeconds(ProcessHandle process) {
		return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
	}

}
