package dev.ratelimit.benchmarks.openloop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Connections that wait for a request, by tenant.
 */
final class IdleConnections {

	private final InetSocketAddress server;

	private final Selector selector;

	private final List<Deque<Connection>> idle = IntStream.range(0, Mix.TENANTS)
		.<Deque<Connection>>mapToObj((tenant) -> new ArrayDeque<>())
		.toList();

	IdleConnections(InetSocketAddress server, Selector selector) {
		this.server = server;
		this.selector = selector;
	}

	/**
	 * The connection used last, or a new one.
	 */
	Connection take(int tenant) {
		Connection last = this.idle.get(tenant).pollLast();
		return (last != null) ? last : open(tenant);
	}

	Connection open(int tenant) {
		try {
			return Connection.open(this.selector, this.server, tenant);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The generator can open no more connections", ex);
		}
	}

	void giveBack(Connection connection) {
		this.idle.get(connection.tenant()).addLast(connection);
	}

	void forget(Connection connection) {
		this.idle.get(connection.tenant()).remove(connection);
	}

}
