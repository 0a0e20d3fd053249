package dev.ratelimit.test.fault;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

import dev.ratelimit.test.redis.FreePort;

/**
 * Stands between clients and a server and simulates network faults. Faults can be
 * switched while connections are open. A fault applies to open and new connections until
 * {@link #heal()}, unless its method says otherwise.
 */
public final class FaultProxy implements AutoCloseable {

	private static final int MOST_CONNECTIONS = 256;

	private static final int CONNECT_MILLIS = 2000;

	private final Link requests = new Link();

	private final Link replies = new Link();

	private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

	private final ExecutorService executor = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "fault-proxy");
		thread.setDaemon(true);
		return thread;
	});

	private final Door door;

	private volatile InetSocketAddress upstream;

	private Supplier<ReplyFault> replyFault = () -> ReplyFault.NONE;

	private volatile boolean blackHole;

	private FaultProxy(int port, InetSocketAddress upstream) {
		this.upstream = upstream;
		this.door = new Door(port, this.executor, this::admit);
		this.door.open();
	}

	/**
	 * Start a proxy without a fault.
	 * @param host the host of the server
	 * @param port the port of the server
	 */
	public static FaultProxy to(String host, int port) {
		return FreePort.tryPorts((own) -> new FaultProxy(own, new InetSocketAddress(host, port)));
	}

	public String host() {
		return Door.HOST;
	}

	public int port() {
		return this.door.port();
	}

	/**
	 * Return the number of open connections, including those without traffic because of a
	 * fault.
	 */
	public int connections() {
		return this.connections.size();
	}

	/**
	 * Connect new connections to another port.
	 */
	public void upstream(int port) {
		this.upstream = new InetSocketAddress(this.upstream.getAddress(), port);
	}

	/**
	 * Delay all data in each direction. Order and throughput do not change.
	 */
	public void delay(Duration eachWay) {
		this.requests.delay(eachWay);
		this.replies.delay(eachWay);
	}

	/**
	 * Delay all data of the server. Order and throughput do not change.
	 */
	public void delayReplies(Duration delay) {
		this.replies.delay(delay);
	}

	/**
	 * Accept connections and read data, but deliver the data only after the fault heals.
	 */
	public void stall() {
		this.requests.stall();
		this.replies.stall();
	}

	/**
	 * Deliver data of the server only after the fault heals. The server receives all
	 * data.
	 */
	public void stallReplies() {
		this.replies.stall();
	}

	/**
	 * Drop all bytes in both directions, but close no connection, so that neither side
	 * notices. New connections are accepted and treated alike. Affected connections never
	 * heal. Connections after {@link #heal()} work.
	 */
	public synchronized void blackHole() {
		this.blackHole = true;
		this.connections.forEach(ProxiedConnection::lose);
	}

	/**
	 * Reset all open connections once.
	 */
	public synchronized void reset() {
		this.connections.forEach(ProxiedConnection::reset);
	}

	/**
	 * Reset all open connections and reject new ones.
	 */
	public void refuse() {
		this.door.shut();
		reset();
	}

	/**
	 * Close each connection after the given number of additional reply bytes.
	 */
	public synchronized void cutReplies(int bytes) {
		replyFault(() -> new CutReplies(bytes));
	}

	/**
	 * Drop the next replies of each open connection, although the server executes the
	 * calls, and then reset the connection. No reply may be pending.
	 */
	public synchronized void dropReplies(int count) {
		this.connections.forEach((connection) -> connection.replyFault(new DropReplies(count)));
	}

	/**
	 * Drop all replies of the open connections permanently, although the server still
	 * executes calls and the connections stay open.
	 */
	public void muteReplies() {
		dropReplies(Integer.MAX_VALUE);
	}

	/**
	 * End all faults.
	 */
	public synchronized void heal() {
		this.blackHole = false;
		this.requests.heal();
		this.replies.heal();
		replyFault(() -> ReplyFault.NONE);
		this.door.open();
	}

	private synchronized void replyFault(Supplier<ReplyFault> fault) {
		this.replyFault = fault;
		this.connections.forEach((connection) -> connection.replyFault(fault.get()));
	}

	private void admit(Socket client) {
		Socket server = new Socket();
		ProxiedConnection connection = new ProxiedConnection(client, server, this.requests, this.replies,
				this.connections::remove);
		try {
			connect(server);
			register(connection);
			connection.start(this.executor);
		}
		catch (IOException | RejectedExecutionException ex) {
			connection.reset();
		}
	}

	private void connect(Socket server) throws IOException {
		if (!this.blackHole) {
			server.connect(this.upstream, CONNECT_MILLIS);
		}
	}

	// The lock of the switches ensures that each fault applies to a connection exactly
	// once.
	private synchronized void register(ProxiedConnection connection) throws IOException {
		if (this.door.isShut() || this.connections.size() == MOST_CONNECTIONS) {
			throw new IOException("refused");
		}
		this.connections.add(connection);
		connection.replyFault(this.replyFault.get());
		if (this.blackHole) {
			connection.lose();
		}
	}

	@Override
	public void close() {
		this.door.shut();
		end();
	}

	private synchronized void end() {
		List.copyOf(this.connections).forEach(ProxiedConnection::close);
		this.executor.shutdownNow();
	}

}
