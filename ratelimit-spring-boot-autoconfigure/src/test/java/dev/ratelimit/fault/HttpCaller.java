package dev.ratelimit.fault;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A persistent connection with minimal overhead on the client side.
 */
final class HttpCaller implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 60_000;

	private final int port;

	private final int timeoutMillis;

	private Socket socket;

	private InputStream in;

	HttpCaller(int port) {
		this(port, TIMEOUT_MILLIS);
	}

	HttpCaller(int port, int timeoutMillis) {
		this.port = port;
		this.timeoutMillis = timeoutMillis;
		this.socket = new Socket();
		this.in = InputStream.nullInputStream();
		connect();
	}

	// If the server has stopped, the next request fails.
	private void reconnect() {
		try {
			connect();
		}
		catch (UncheckedIOException ex) {
			close();
		}
	}

	private void connect() {
		close();
		try {
			this.socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
			this.socket.setTcpNoDelay(true);
			this.socket.setSoTimeout(this.timeoutMillis);
			this.in = new BufferedInputStream(this.socket.getInputStream());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Send one request.
	 * @return the response, with status 0 if there was none
	 */
	Sample get(Target target, String caller) {
		return get(target, caller, System.nanoTime());
	}

	/**
	 * Send one request.
	 * @param target the target of the request
	 * @param caller the name of the client
	 * @param dueNanos when the request was due
	 */
	Sample get(Target target, String caller, long dueNanos) {
		long start = System.nanoTime();
		try {
			send(target.path(), caller);
			ResponseHead head = receive();
			return new Sample(target, dueNanos, start, System.nanoTime() - start, head.status(), head.counted());
		}
		catch (IOException ex) {
			Sample failed = new Sample(target, dueNanos, start, System.nanoTime() - start, 0, false);
			reconnect();
			return failed;
		}
	}

	/**
	 * Send a request without waiting for the response.
	 */
	void send(String path, String caller) throws IOException {
		this.socket.getOutputStream().write(Callers.request(path, caller));
	}

	/**
	 * Wait for the response to a sent request.
	 */
	ResponseHead receive() throws IOException {
		ResponseHead head = ResponseHead.of(head());
		this.in.skipNBytes(head.length());
		if (head.closing()) {
			reconnect();
		}
		return head;
	}

	/**
	 * Pipeline requests and read their responses.
	 * @param requests complete requests
	 * @return the status of each response
	 */
	List<Integer> pipeline(String... requests) throws IOException {
		this.socket.getOutputStream().write(String.join("", requests).getBytes(StandardCharsets.ISO_8859_1));
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < requests.length; i++) {
			statuses.add(receive().status());
		}
		return statuses;
	}

	private String head() throws IOException {
		StringBuilder head = new StringBuilder(256);
		while (head.length() < 4 || head.charAt(head.length() - 1) != '\n' || head.charAt(head.length() - 3) != '\n') {
			int next = this.in.read();
			if (next < 0) {
				throw new EOFException("no response");
			}
			head.append((char) next);
		}
		return head.toString();
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
