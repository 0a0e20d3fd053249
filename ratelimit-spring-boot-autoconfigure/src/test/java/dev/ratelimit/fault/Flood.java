package dev.ratelimit.fault;

import java.io.IOException;
import java.time.Duration;

/**
 * One client that sends requests over many connections. Each connection sends the next
 * request immediately after each response.
 */
final class Flood extends Callers {

	private static final Duration REST = Duration.ofMillis(50);

	private final byte[] request;

	private int missing;

	private Flood(int port, int connections, String path, String caller) {
		super(port);
		this.request = request(path, caller);
		this.missing = connections;
	}

	static Flood start(int port, int connections, String path, String caller) {
		Flood flood = new Flood(port, connections, path, caller);
		flood.begin();
		return flood;
	}

	@Override
	void tick() throws IOException {
		for (; this.missing > 0; this.missing--) {
			answered(connect());
		}
	}

	@Override
	void answered(AsyncConnection connection) throws IOException {
		connection.send(this.request, System.nanoTime());
	}

	@Override
	void lost(AsyncConnection connection) {
		this.missing++;
	}

	@Override
	Duration rest() {
		return REST;
	}

}
