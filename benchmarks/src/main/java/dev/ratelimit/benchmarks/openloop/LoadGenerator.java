package dev.ratelimit.benchmarks.openloop;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Sends requests when they are due, from one thread, over as many connections as
 * necessary. The latency of a request begins when it is due, so that the figures of the
 * server are not better if the generator is late. If a response is not in time, the
 * client closes the connection.
 */
final class LoadGenerator {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final Arrivals arrivals;

	private final Duration timeout;

	private final Selector selector;

	private final IdleConnections connections;

	// The requests in the order of their due times, which is also the order of their
	// timeouts.
	private final Deque<Request> pending = new ArrayDeque<>();

	private final List<Sample> samples = new ArrayList<>(1 << 18);

	private final long startedAt = System.nanoTime();

	private LoadGenerator(InetSocketAddress server, Arrivals arrivals, Duration timeout, Selector selector) {
		this.arrivals = arrivals;
		this.timeout = timeout;
		this.selector = selector;
		this.connections = new IdleConnections(server, selector);
	}

	/**
	 * Send all requests.
	 * @return the requests with their outcomes, in the order in which they ended
	 */
	static List<Sample> run(InetSocketAddress server, Arrivals arrivals) throws IOException {
		return run(server, arrivals, TIMEOUT);
	}

	static List<Sample> run(InetSocketAddress server, Arrivals arrivals, Duration timeout) throws IOException {
		try (Selector selector = Selector.open()) {
			LoadGenerator generator = new LoadGenerator(server, arrivals, timeout, selector);
			generator.run();
			selector.keys().forEach((key) -> connection(key).close());
			return generator.samples;
		}
	}

	private void run() throws IOException {
		while (!this.arrivals.isOver(now()) || !this.pending.isEmpty()) {
			while (this.arrivals.nextDue() <= now()) {
				start(new Request(this.arrivals.take(), now()));
			}
			endLate();
			await();
		}
	}

	private long now() {
		return System.nanoTime() - this.startedAt;
	}

	private void start(Request request) {
		this.pending.add(request);
		send(request, this.connections.take(request.arrival().tenant()));
	}

	private void send(Request request, Connection connection) {
		try {
			connection.send(request);
		}
		catch (IOException ex) {
			broken(connection);
		}
	}

	private void endLate() {
		long dueBefore = now() - this.timeout.toNanos();
		for (Request first = this.pending.peek(); first != null
				&& (first.isEnded() || first.arrival().due() < dueBefore); first = this.pending.peek()) {
			this.pending.remove();
			if (!first.isEnded()) {
				first.connection().close();
				end(first, Outcome.LATE);
			}
		}
	}

	// Wait for a millisecond at most, so that a request is sent at most a millisecond
	// late.
	private void await() throws IOException {
		if (this.arrivals.nextDue() > now()) {
			this.selector.select(1);
		}
		else {
			this.selector.selectNow();
		}
		for (SelectionKey key : this.selector.selectedKeys()) {
			if (key.isValid()) {
				advance(key, connection(key));
			}
		}
		this.selector.selectedKeys().clear();
	}

	private void advance(SelectionKey key, Connection connection) {
		try {
			if (key.isConnectable()) {
				connection.finishConnect();
			}
			else {
				received(connection, connection.read());
			}
		}
		catch (IOException ex) {
			broken(connection);
		}
	}

	private void received(Connection connection, ResponseReader.Status status) {
		Request request = connection.request();
		if (!status.isComplete() || request == null) {
			return;
		}
		end(request, (status.isGood()) ? Outcome.GOOD : Outcome.SHED);
		connection.free();
		if (status.keptAlive()) {
			this.connections.returnLease(connection);
		}
		else {
			connection.close();
		}
	}

	// A server may close an idle connection while a request is being sent. Clients then
	// send the request again.
	private void broken(Connection connection) {
		connection.close();
		this.connections.forget(connection);
		Request request = connection.request();
		if (request != null && connection.isReusedInVain()) {
			send(request, this.connections.open(connection.tenant()));
		}
		else if (request != null) {
			end(request, Outcome.FAILED);
		}
	}

	private void end(Request request, Outcome outcome) {
		long now = now();
		this.samples.add(request.end(outcome, now));
		this.arrivals.ended(now);
	}

	private static Connection connection(SelectionKey key) {
		return (Connection) key.attachment();
	}

}
