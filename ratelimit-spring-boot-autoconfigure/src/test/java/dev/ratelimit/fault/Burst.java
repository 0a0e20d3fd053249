package dev.ratelimit.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections on which one client sends the same request at once.
 */
final class Burst implements AutoCloseable {

	private final List<HttpCaller> connections = new ArrayList<>();

	/**
	 * Connect without sending a request.
	 * @param ports the ports of the instances
	 * @param size the total number of connections
	 */
	Burst(List<Integer> ports, int size) {
		for (int i = 0; i < size; i++) {
			this.connections.add(new HttpCaller(ports.get(i % ports.size())));
		}
	}

	/**
	 * Send a request on each connection before any response is read.
	 */
	Tally wave(String path, String caller) throws IOException {
		Tally tally = new Tally();
		long startNanos = System.nanoTime();
		for (HttpCaller connection : this.connections) {
			connection.send(path, caller);
		}
		for (HttpCaller connection : this.connections) {
			tally.add(connection.receive(), System.nanoTime() - startNanos);
		}
		return tally;
	}

	@Override
	public void close() {
		this.connections.forEach(HttpCaller::close);
	}

}
