package dev.ratelimit.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * Picks ports below the range that operating systems assign to clients. Otherwise, a
 * client that repeatedly connects to a dead server could get the port of the server as
 * its own, connect to itself, and prevent a restart of the server.
 */
public final class FreePort {

	/** The number of this JVM. JVMs that run tests concurrently use separate ports. */
	private static final int FORK = Integer.getInteger("test.fork", 1);

	private static final int PER_FORK = 3000;

	private static final int FIRST = 13000 + FORK * PER_FORK;

	private static final int LAST = FIRST + PER_FORK;

	private static final int ATTEMPTS = 5;

	private FreePort() {
	}

	public static <T> T tryPorts(IntFunction<T> start) {
		IllegalStateException failure = new IllegalStateException("no free port");
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try {
				return start.apply(next());
			}
			catch (IllegalStateException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	private static int next() {
		for (int attempt = 0; attempt < 100; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
			if (isFree(port)) {
				return port;
			}
		}
		throw new IllegalStateException("no free port from %d to %d".formatted(FIRST, LAST));
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
			return socket.isBound();
		}
		catch (BindException ex) {
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
