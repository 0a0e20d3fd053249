package dev.ratelimit.fault;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A non-blocking connection with at most one pending request.
 */
final class AsyncConnection {

	private static final int LONGEST_RESPONSE = 8192;

	private final ByteBuffer in = ByteBuffer.allocate(LONGEST_RESPONSE);

	private final SocketChannel channel;

	private final SelectionKey key;

	private @Nullable ByteBuffer request;

	private @Nullable ResponseHead head;

	private long dueNanos;

	AsyncConnection(Selector selector, int port) throws IOException {
		this.channel = SocketChannel.open();
		this.channel.configureBlocking(false);
		this.channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
		boolean connected = this.channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
		this.key = this.channel.register(selector, (connected) ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
	}

	/**
	 * Send a request after the connection is established.
	 * @param request the complete request
	 * @param dueNanos the time from which the wait for the response is measured
	 */
	void send(byte[] request, long dueNanos) throws IOException {
		this.request = ByteBuffer.wrap(request);
		this.dueNanos = dueNanos;
		if (this.channel.isConnected()) {
			write();
		}
	}

	private void write() throws IOException {
		if (this.request != null && this.request.hasRemaining()) {
			this.channel.write(this.request);
		}
		boolean more = this.request != null && this.request.hasRemaining();
		this.key.interestOps((more) ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
	}

	/**
	 * Do all work that does not block.
	 * @return the response, if it is complete
	 */
	@Nullable ResponseHead proceed() throws IOException {
		if (this.key.isConnectable()) {
			this.channel.finishConnect();
			write();
			return null;
		}
		if (this.key.isWritable()) {
			write();
		}
		return (this.key.isReadable()) ? read() : null;
	}

	private @Nullable ResponseHead read() throws IOException {
		if (this.channel.read(this.in) < 0) {
			throw new EOFException("closed by the server");
		}
		int end = headEnd(this.in.array(), this.in.position());
		if (this.head == null && end > 0) {
			this.head = ResponseHead.of(new String(Arrays.copyOf(this.in.array(), end), StandardCharsets.ISO_8859_1));
		}
		ResponseHead response = this.head;
		if (response == null || this.in.position() < end + response.length()) {
			return null;
		}
		this.in.clear();
		this.head = null;
		this.request = null;
		return response;
	}

	private static int headEnd(byte[] bytes, int length) {
		for (int i = 3; i < length; i++) {
			if (bytes[i] == '\n' && bytes[i - 2] == '\n') {
				return i + 1;
			}
		}
		return 0;
	}

	boolean underWay() {
		return this.request != null;
	}

	long dueNanos() {
		return this.dueNanos;
	}

	void close() throws IOException {
		this.channel.close();
	}

}
