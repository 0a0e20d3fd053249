package dev.ratelimit.test.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A client connection and the matching server connection.
 */
final class ProxiedConnection {

	private final Socket client;

	private final Socket server;

	private final Link requests;

	private final Link replies;

	private final Consumer<ProxiedConnection> closed;

	private final List<Future<?>> tasks = new CopyOnWriteArrayList<>();

	private final AtomicInteger openWays = new AtomicInteger(2);

	private boolean isClosed;

	private ReplyFault replyFault = ReplyFault.NONE;

	private volatile boolean lost;

	ProxiedConnection(Socket client, Socket server, Link requests, Link replies, Consumer<ProxiedConnection> closed) {
		this.client = client;
		this.server = server;
		this.requests = requests;
		this.replies = replies;
		this.closed = closed;
	}

	void start(ExecutorService executor) {
		start(executor, new Pipe(this.client, this.requests), this::toServer);
		if (this.server.isConnected()) {
			start(executor, new Pipe(this.server, this.replies), this::toClient);
		}
	}

	private void start(ExecutorService executor, Pipe pipe, Pipe.Receiver receiver) {
		this.tasks.add(executor.submit(task(() -> pipe.fill())));
		this.tasks.add(executor.submit(task(() -> pipe.drain(receiver))));
	}

	private Callable<Void> task(Task task) {
		return () -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// If one side is closed, the other side is reset.
				if (!this.lost) {
					reset();
				}
			}
			return null;
		};
	}

	private void toServer(byte[] bytes) throws IOException {
		if (!this.lost) {
			write(this.server, bytes, bytes.length);
		}
	}

	private void toClient(byte[] bytes) throws IOException {
		if (!this.lost) {
			ReplyFault.Passage passage = pass(bytes);
			write(this.client, bytes, passage.length());
			end(passage.then());
		}
	}

	private synchronized ReplyFault.Passage pass(byte[] bytes) {
		return this.replyFault.pass(bytes);
	}

	private void end(ReplyFault.Then then) {
		switch (then) {
			case GO_ON -> {
			}
			case CLOSE -> close();
			case RESET -> reset();
		}
	}

	private void write(Socket socket, byte[] bytes, int length) throws IOException {
		if (bytes.length > 0) {
			socket.getOutputStream().write(bytes, 0, length);
		}
		else {
			socket.shutdownOutput();
			if (this.openWays.decrementAndGet() == 0) {
				close();
			}
		}
	}

	synchronized void replyFault(ReplyFault fault) {
		this.replyFault = this.replyFault.replacedBy(fault);
	}

	void lose() {
		this.lost = true;
	}

	/**
	 * Close both sides immediately, with an RST.
	 */
	synchronized void reset() {
		if (!this.isClosed) {
			linger(this.client);
			linger(this.server);
			close();
		}
	}

	/**
	 * Close both sides. A second thread waits until both are closed.
	 */
	synchronized void close() {
		if (!this.isClosed) {
			this.isClosed = true;
			end();
		}
	}

	private void end() {
		close(this.client);
		close(this.server);
		this.closed.accept(this);
		this.tasks.forEach((task) -> task.cancel(true));
	}

	private static void linger(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
		}
		catch (SocketException ex) {
			// The other end has already closed the connection.
		}
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The task of one thread of a connection.
	 */
	private interface Task {

		void run() throws IOException, InterruptedException;

	}

}
