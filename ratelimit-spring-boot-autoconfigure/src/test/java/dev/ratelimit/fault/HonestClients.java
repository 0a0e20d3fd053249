package dev.ratelimit.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Simulates successive clients that keep to their limit, each with a few requests. They
 * send requests at fixed times, even if earlier responses are missing. A wait is measured
 * from the time at which the request was due.
 */
final class HonestClients extends Callers {

	/** The number of requests of each client, well below all limits. */
	static final int REQUESTS_EACH = 5;

	private static final int MOST_CONNECTIONS = 512;

	private final Deque<AsyncConnection> idle = new ArrayDeque<>();

	private final String path;

	private final String name;

	private final long periodNanos;

	private final long startNanos = System.nanoTime();

	private int connections;

	private int sent;

	private HonestClients(int port, int perSecond, String path, String name) {
		super(port);
		this.path = path;
		this.name = name;
		this.periodNanos = Duration.ofSeconds(1).toNanos() / perSecond;
	}

	static HonestClients start(int port, int perSecond, String path, String name) {
		HonestClients callers = new HonestClients(port, perSecond, path, name);
		callers.begin();
		return callers;
	}

	/**
	 * Return the last clients that sent all their requests. Call this method after all
	 * clients have stopped.
	 * @param count the maximum number of clients
	 */
	List<String> last(int count) {
		int complete = this.sent / REQUESTS_EACH;
		return IntStream.range(Math.max(0, complete - count), complete).mapToObj((i) -> this.name + "-" + i).toList();
	}

	private long dueNanos() {
		return this.startNanos + this.sent * this.periodNanos;
	}

	@Override
	void tick() throws IOException {
		while (dueNanos() - System.nanoTime() <= 0 && (!this.idle.isEmpty() || this.connections < MOST_CONNECTIONS)) {
			byte[] request = request(this.path, this.name + "-" + this.sent / REQUESTS_EACH);
			AsyncConnection connection = (this.idle.isEmpty()) ? another() : this.idle.pop();
			connection.send(request, dueNanos());
			this.sent++;
		}
	}

	private AsyncConnection another() throws IOException {
		this.connections++;
		return connect();
	}

	@Override
	void answered(AsyncConnection connection) {
		this.idle.push(connection);
	}

	@Override
	void lost(AsyncConnection connection) {
		this.idle.remove(connection);
		this.connections--;
	}

	@Override
	Duration rest() {
		return Duration.ofNanos(Math.max(0, dueNanos() - System.nanoTime()));
	}

}
