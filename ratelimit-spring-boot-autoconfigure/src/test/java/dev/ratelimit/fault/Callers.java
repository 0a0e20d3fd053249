package dev.ratelimit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Simulates clients over many connections. All run on one thread, to leave the processors
 * to the server.
 */
abstract class Callers implements AutoCloseable {

	/** The timeout after the last request for responses to pending requests. */
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
	 * Send the requests that are due.
	 */
	abstract void tick() throws IOException;

	/**
	 * Handle a response on a connection.
	 */
	abstract void answered(AsyncConnection connection) throws IOException;

	/**
	 * Handle the loss of a connection.
	 */
	abstract void lost(AsyncConnection connection);

	/**
	 * Return the time until the next request is due.
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
	 * Return the number of the last 20 requests that the store counted and allowed.
	 */
	final int countedRecently() {
		return this.tally.countedRecently();
	}

	/**
	 * Stop sending requests, and wait for the responses to pending requests.
	 * @return the counts of the responses
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
