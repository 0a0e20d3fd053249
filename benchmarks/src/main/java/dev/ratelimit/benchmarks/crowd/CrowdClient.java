package dev.ratelimit.benchmarks.crowd;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Thousands of connections that one thread manages. They are opened from several
 * addresses, because one address does not have enough ports. Each connection has one
 * request at a time, and its response must arrive in one piece.
 */
final class CrowdClient implements AutoCloseable {

	private static final int PER_ADDRESS = 5000;

	/**
	 * The number of connections to open at a time. With more, the queue of connections
	 * that a server has not accepted yet would overflow.
	 */
	private static final int AT_ONCE = 200;

	private final InetSocketAddress server;

	private final Selector selector = Selector.open();

	private final List<SocketChannel> channels = new ArrayList<>();

	private final ByteBuffer buffer = ByteBuffer.allocate(16_384);

	private final Map<String, Integer> answers = new TreeMap<>();

	private int answered;

	CrowdClient(InetSocketAddress server) throws IOException {
		this.server = server;
	}

	void connect(int count) throws IOException {
		while (this.channels.size() < count) {
			int from = this.channels.size();
			for (int i = from; i < Math.min(count, from + AT_ONCE); i++) {
				this.channels.add(open(i));
			}
			for (SocketChannel channel : this.channels.subList(from, this.channels.size())) {
				channel.configureBlocking(false);
				channel.register(this.selector, SelectionKey.OP_READ);
			}
		}
	}

	private SocketChannel open(int number) throws IOException {
		SocketChannel channel = SocketChannel.open();
		try {
			channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
			channel.bind(new InetSocketAddress("127.0.1." + (1 + number / PER_ADDRESS), 0));
			channel.connect(this.server);
			return channel;
		}
		catch (IOException ex) {
			channel.close();
			throw ex;
		}
	}

	/**
	 * Send a request on each connection.
	 * @param requests the requests by the numbers of the connections; a socket accepts a
	 * whole request at once
	 */
	void send(IntFunction<String> requests) throws IOException {
		this.answers.clear();
		this.answered = 0;
		for (int i = 0; i < this.channels.size(); i++) {
			this.channels.get(i).write(ByteBuffer.wrap(requests.apply(i).getBytes(StandardCharsets.US_ASCII)));
			if (i % AT_ONCE == 0) {
				receive(0);
			}
		}
	}

	/**
	 * Return the number of requests without a response.
	 */
	int unanswered() {
		return this.channels.size() - this.answered;
	}

	/**
	 * Return the number of responses by status.
	 */
	Map<String, Integer> answers() {
		return Map.copyOf(this.answers);
	}

	/**
	 * Receive responses for a while.
	 * @param count the number of responses after which to stop
	 * @param atMost the maximum time
	 */
	void awaitAnswers(int count, Duration atMost) throws IOException {
		long end = System.nanoTime() + atMost.toNanos();
		for (long left = atMost.toMillis(); this.answered < count
				&& left > 0; left = (end - System.nanoTime()) / 1_000_000) {
			receive(left);
		}
		if (this.answered < count && count == this.channels.size()) {
			throw new IOException(
					"Only %d of %d requests had a response: %s".formatted(this.answered, count, this.answers));
		}
	}

	private void receive(long millis) throws IOException {
		if (millis > 0) {
			this.selector.select(millis);
		}
		else {
			this.selector.selectNow();
		}
		for (SelectionKey key : this.selector.selectedKeys()) {
			read((SocketChannel) key.channel());
		}
		this.selector.selectedKeys().clear();
	}

	private void read(SocketChannel channel) throws IOException {
		this.buffer.clear();
		if (channel.read(this.buffer) < 0) {
			throw new IOException("The server has closed a connection: " + this.answers);
		}
		this.buffer.flip();
		String text = StandardCharsets.ISO_8859_1.decode(this.buffer).toString();
		if (text.startsWith("HTTP/1.1 ")) {
			this.answered++;
			this.answers.merge(text.substring(9, 12), 1, Integer::sum);
		}
	}

	@Override
	public void close() throws IOException {
		for (SocketChannel channel : this.channels) {
			channel.close();
		}
		this.selector.close();
	}

}
