package dev.ratelimit.test.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * A listening port that can be closed and opened again.
 */
final class Door {

	static final String HOST = "127.0.0.1";

	private static final int BACKLOG = 128;

	private final int port;

	private final ExecutorService executor;

	private final Consumer<Socket> guests;

	private volatile Optional<Listener> listener = Optional.empty();

	Door(int port, ExecutorService executor, Consumer<Socket> guests) {
		this.port = port;
		this.executor = executor;
		this.guests = guests;
	}

	int port() {
		return this.port;
	}

	boolean isShut() {
		return this.listener.isEmpty();
	}

	synchronized void open() {
		if (isShut()) {
			ServerSocket socket = listen();
			this.listener = Optional.of(new Listener(socket, this.executor.submit(() -> accept(socket))));
		}
	}

	/**
	 * Close the port. Wait for the acceptor thread, because the operating system accepts
	 * connections until it ends.
	 */
	synchronized void shut() {
		Optional<Listener> last = this.listener;
		this.listener = Optional.empty();
		last.ifPresent(Listener::end);
	}

	private ServerSocket listen() {
		try {
			return new ServerSocket(this.port, BACKLOG, InetAddress.getByName(HOST));
		}
		catch (IOException ex) {
			throw new IllegalStateException("cannot listen on port " + this.port, ex);
		}
	}

	private void accept(ServerSocket socket) {
		while (!socket.isClosed()) {
			try {
				this.guests.accept(socket.accept());
			}
			catch (IOException ex) {
				if (!socket.isClosed()) {
					throw new UncheckedIOException(ex);
				}
			}
		}
	}

	private record Listener(ServerSocket socket, Future<?> task) {

		void end() {
			try {
				this.socket.close();
				this.task.get();
			}
			catch (IOException | ExecutionException ex) {
				throw new IllegalStateException("the door does not shut", ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("interrupted at the door", ex);
			}
		}

	}

}
