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
 * Sends requests when they are due, from one thread, over as many connections as that
 * takes. The time of a request starts when it is due, so a late generator does not
 * flatter the server. A client without a response in time closes its connection.
 */
final class LoadGenerator {

	static final Duration TIMEOUT = Duration.ofSeconds(1);

	private final Arrivals arrivals;

	private final Selector selector;

	private final IdleConnections connections;

	// In the order in which they were due, which is that of their timeouts.
	private final Deque<Request> pending = new ArrayDeque<>();

	private final List<Sample> samples = new ArrayList<>(1 << 18);

	private final long startedAt = System.nanoTime();

	private LoadGenerator(InetSocketAddress server, Arrivals arrivals, Selector selector) {
		this.arrivals = arrivals;
		this.selector = selector;
		this.connections = new IdleConnections(server, selector);
	}

	/**
	 * Send all requests.
	 * @return what became of them, in the order of their ends
	 */
	static List<Sample> run(InetSocketAddress server, Arrivals arrivals) throws IOException {
		try (Selector selector = Selector.open()) {
			LoadGenerator generator = new LoadGenerator(server, arrivals, selector);
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
		long dueBefore = now() - TIMEOUT.toNanos();
		for (Request first = this.pending.peek(); first != null
				&& (first.isEnded() || first.arrival().due() < dueBefore); first = this.pending.peek()) {
			this.pending.remove();
			if (!first.isEnded()) {
				first.connection().close();
				end(first, Outcome.LATE);
			}
		}
	}

	// Waits a millisecond at most, which is how much later than due a request may be
	// sent.
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

	// A server may close a connection that is not in use while a request is on its way:
	// clients send it again then.
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
