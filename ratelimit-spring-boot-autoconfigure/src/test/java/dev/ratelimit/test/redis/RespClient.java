package dev.ratelimit.test.redis;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.StringJoiner;

/**
 * A Redis connection without a client library. It sends words and returns text. An array
 * is returned as one line per element, and nil as {@code (nil)}. An error reply is
 * thrown.
 */
public final class RespClient implements AutoCloseable {

	private final Socket socket;

	private final InputStream in;

	private RespClient(Socket socket) throws IOException {
		this.socket = socket;
		this.in = new BufferedInputStream(socket.getInputStream());
	}

	public static RespClient connect(String host, int port, Duration timeout) {
		Socket socket = new Socket();
		try {
			socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
			socket.setSoTimeout((int) timeout.toMillis());
			return new RespClient(socket);
		}
		catch (IOException ex) {
			close(socket);
			throw new UncheckedIOException("no connection to %s:%d".formatted(host, port), ex);
		}
	}

	/**
	 * Set the maximum time to wait for each reply.
	 */
	public void timeout(Duration timeout) {
		try {
			this.socket.setSoTimeout((int) timeout.toMillis());
		}
		catch (SocketException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String call(String... words) {
		send(words);
		return receive();
	}

	/**
	 * Send a command without waiting for its reply.
	 */
	public void send(String... words) {
		try {
			this.socket.getOutputStream().write(request(words));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("could not send " + Arrays.toString(words), ex);
		}
	}

	/**
	 * Wait for the next reply.
	 */
	public String receive() {
		try {
			return reply();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("no reply", ex);
		}
	}

	private static byte[] request(String... words) {
		StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
		for (String word : words) {
			int length = word.getBytes(StandardCharsets.UTF_8).length;
			request.append('$').append(length).append("\r\n").append(word).append("\r\n");
		}
		return request.toString().getBytes(StandardCharsets.UTF_8);
	}

	private String reply() throws IOException {
		String line = line();
		String rest = line.substring(1);
		return switch (line.charAt(0)) {
			case '+', ':' -> rest;
			case '$' -> bulk(Integer.parseInt(rest));
			case '*' -> array(Integer.parseInt(rest));
			case '-' -> throw new IllegalStateException(rest);
			default -> throw new IllegalStateException("not RESP2: " + line);
		};
	}

	private String bulk(int length) throws IOException {
		if (length < 0) {
			return "(nil)";
		}
		String text = new String(this.in.readNBytes(length), StandardCharsets.UTF_8);
		line();
		return text;
	}

	private String array(int length) throws IOException {
		if (length < 0) {
			return "(nil)";
		}
		StringJoiner elements = new StringJoiner("\n");
		for (int i = 0; i < length; i++) {
			elements.add(reply());
		}
		return elements.toString();
	}

	private String line() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = this.in.read(); next != '\n'; next = this.in.read()) {
			if (next < 0) {
				throw new EOFException("the server closed the connection");
			}
			line.append((char) next);
		}
		line.setLength(line.length() - 1);
		return line.toString();
	}

	@Override
	public void close() {
		close(this.socket);
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
