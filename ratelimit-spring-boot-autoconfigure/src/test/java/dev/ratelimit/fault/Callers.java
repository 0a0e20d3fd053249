package dev.ratelimit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Clients over many connections, all on one thread, so that they leave the processors to
 * the server.
 */
abstract class Callers implements AutoCloseable {

	/** After the last request, for the responses to pending requests. */
	private static final long TIMEOUT_NANOS = Duration.ofSeconds(60).toNanos();

	private final Tally tally = new Tally();

	private final Thread thread = new Thread(this::run, "callers");

	private final Selector selector;

	private final int port;

	private @Nullable Exception failure;

	private volatile boolean stopped;

	Callers(int port) {
		this.port = port;
		try {
			this.selector = Selector.open();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static byte[] request(String path, String caller) {
		return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Caller: " + caller + "\r\n\r\n")
			.getBytes(StandardCharsets.ISO_8859_1);
	}

	/**
	 * Send what is due.
	 */
	abstract void tick() throws IOException;

	/**
	 * What to do with a connection whose request was answered.
	 */
	abstract void answered(AsyncConnection connection) throws IOException;

	/**
	 * What to do without a connection that is closed.
	 */
	abstract void lost(AsyncConnection connection);

	/**
	 * How long nothing is due.
	 */
	abstract Duration rest();

	final AsyncConnection connect() throws IOException {
		return new AsyncConnection(this.selector, this.port);
	}

	final void begin() {
		this.thread.start();
	}

	private void run() {
		try {
			while (!this.stopped) {
				tick();
				this.selector.select(this::proceed, Math.max(1, rest().toMillis()));
			}
			finish(System.nanoTime() + TIMEOUT_NANOS);
		}
		catch (IOException | RuntimeException ex) {
			this.failure = ex;
		}
	}

	private void finish(long untilNanos) throws IOException {
		while (countUnderWay() > 0 && untilNanos - System.nanoTime() > 0) {
			this.selector.select(this::proceed, 10);
		}
		for (SelectionKey key : this.selector.keys()) {
			AsyncConnection connection = (AsyncConnection) key.attachment();
			if (connection.underWay()) {
				this.tally.addUnanswered();
			}
			connection.close();
		}
	}

	private long countUnderWay() {
		return this.selector.keys().stream().filter((key) -> ((AsyncConnection) key.attachment()).underWay()).count();
	}

	private void proceed(SelectionKey key) {
		AsyncConnection connection = (AsyncConnection) key.attachment();
		try {
			proceed(connection);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void proceed(AsyncConnection connection) throws IOException {
		ResponseHead head;
		try {
			head = connection.proceed();
		}
		catch (IOException ex) {
			if (connection.underWay()) {
				this.tally.addUnanswered();
			}
			head = null;
			leave(connection);
		}
		if (head != null) {
			this.tally.add(head, System.nanoTime() - connection.dueNanos());
			if (head.closing()) {
				leave(connection);
			}
			else if (!this.stopped) {
				answered(connection);
			}
		}
	}

	private void leave(AsyncConnection connection) throws IOException {
		connection.close();
		if (!this.stopped) {
			lost(connection);
		}
	}

	/**
	 * How many of the last 20 requests the store has counted and allowed.
	 */
	final int countedRecently() {
		return this.tally.countedRecently();
	}

	/**
	 * Send no more, and wait for the responses to pending requests.
	 * @return what came
	 */
	final Tally stop() {
		if (!this.stopped) {
			this.stopped = true;
			this.selector.wakeup();
			join();
		}
		if (this.failure != null) {
			throw new IllegalStateException("the callers have failed", this.failure);
		}
		return this.tally;
	}

	private void join() {
		try {
			this.thread.join();
			this.selector.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public final void close() {
		stop();
	}

}
