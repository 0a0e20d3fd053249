package dev.ratelimit.benchmarks.openloop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Connections that wait for a request, by tenant.
 */
final class IdleConnections {

	private static final int FIRST_PORT = 20_000;

	private static final int LAST_PORT = 60_000;

	private static final int ATTEMPTS = 1000;

	private final int[] ports = new int[Mix.TENANTS];

	private final InetSocketAddress server;

	private final Selector selector;

	private final List<Deque<Connection>> idle = IntStream.range(0, Mix.TENANTS)
		.<Deque<Connection>>mapToObj((tenant) -> new ArrayDeque<>())
		.toList();

	IdleConnections(InetSocketAddress server, Selector selector) {
		this.server = server;
		this.selector = selector;
		Arrays.fill(this.ports, FIRST_PORT);
	}

	/**
	 * Return the connection that was used last, or a new one.
	 */
	Connection take(int tenant) {
		Connection last = this.idle.get(tenant).pollLast();
		return (last != null) ? last : open(tenant);
	}

	/**
	 * Open a connection from the address of a tenant, 127.0.1.1 for the first tenant.
	 */
	Connection open(int tenant) {
		for (int attempt = 1;; attempt++) {
			try {
				return Connection.open(this.selector, this.server, tenant,
						new InetSocketAddress("127.0.1." + (tenant + 1), nextPort(tenant)));
			}
			catch (IOException ex) {
				if (attempt == ATTEMPTS) {
					throw new UncheckedIOException("The generator can open no more connections", ex);
				}
			}
		}
	}

	// Choose the port here, because the kernel is slow in finding a free port among
	// thousands that are in use.
	private int nextPort(int tenant) {
		this.ports[tenant] = (this.ports[tenant] < LAST_PORT) ? this.ports[tenant] + 1 : FIRST_PORT;
		return this.ports[tenant];
	}

	void returnLease(Connection connection) {
		this.idle.get(connection.tenant()).addLast(connection);
	}

	void forget(Connection connection) {
		this.idle.get(connection.tenant()).remove(connection);
	}

}
