package dev.ratelimit.benchmarks.openloop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * A connection of one tenant, with one request at a time.
 */
final class Connection {

	private final SocketChannel channel;

	private final SelectionKey key;

	private final int tenant;

	private final ResponseReader response = new ResponseReader();

	private @Nullable Request request;

	private boolean used;

	private Connection(SocketChannel channel, Selector selector, int tenant) throws IOException {
		this.channel = channel;
		this.tenant = tenant;
		this.key = channel.register(selector, SelectionKey.OP_CONNECT, this);
	}

	/**
	 * Open a connection from an address.
	 */
	static Connection open(Selector selector, InetSocketAddress server, int tenant, InetSocketAddress from)
			throws IOException {
		SocketChannel channel = SocketChannel.open();
		try {
			channel.configureBlocking(false);
			channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
			// Allow a port again if both sides have closed its former connection.
			channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
			channel.bind(from);
			channel.connect(server);
			return new Connection(channel, selector, tenant);
		}
		catch (IOException ex) {
			channel.close();
			throw ex;
		}
	}

	int tenant() {
		return this.tenant;
	}

	@Nullable Request request() {
		return this.request;
	}

	/**
	 * Return whether the connection served an earlier request, but has received no byte
	 * of a response to the current request.
	 */
	boolean isReusedInVain() {
		return this.used && this.response.isEmpty();
	}

	/**
	 * Send a request, immediately or once the connection is open.
	 */
	void send(Request next) throws IOException {
		this.request = next;
		next.sentOn(this);
		this.response.clear();
		if (this.channel.isConnected()) {
			write(next);
		}
	}

	void finishConnect() throws IOException {
		this.channel.finishConnect();
		this.key.interestOps(SelectionKey.OP_READ);
		if (this.request != null) {
			write(this.request);
		}
	}

	// A request has about a hundred bytes, so that the socket accepts the whole request.
	private void write(Request request) throws IOException {
		String text = "GET " + request.arrival().level().path() + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
		this.channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
	}

	/**
	 * Read the bytes that have arrived.
	 * @return the status of the response; incomplete until all of it has arrived
	 * @throws IOException if the server has closed the connection
	 */
	ResponseReader.Status read() throws IOException {
		if (this.channel.read(this.response.target()) < 0) {
			throw new IOException("The server has closed the connection");
		}
		return this.response.status();
	}

	void free() {
		this.request = null;
		this.used = true;
	}

	void close() {
		try {
			this.key.cancel();
			this.channel.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
