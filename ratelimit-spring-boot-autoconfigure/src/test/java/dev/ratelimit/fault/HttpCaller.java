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
import java.util.Locale;

/**
 * One connection that is kept alive, and next to no work on this side of it.
 */
final class HttpCaller implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 10_000;

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

	// Where nobody listens any more, the next request fails.
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
	 * Ask once.
	 * @return what came; with status 0 if that was no response
	 */
	Sample get(Target target, String caller) {
		return get(target, target.path(), caller);
	}

	Sample get(Target target, String path, String caller) {
		long start = System.nanoTime();
		try {
			String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Caller: " + caller + "\r\n\r\n";
			write(request);
			String head = read();
			long took = System.nanoTime() - start;
			if (head.contains("\nconnection: close")) {
				reconnect();
			}
			return new Sample(target, start, took, status(head), head.contains("\nratelimit:"));
		}
		catch (IOException ex) {
			Sample failed = new Sample(target, start, System.nanoTime() - start, 0, false);
			reconnect();
			return failed;
		}
	}

	/**
	 * Send requests at once and read their responses.
	 * @param requests complete requests
	 * @return the status of each response
	 */
	List<Integer> pipeline(String... requests) throws IOException {
		write(String.join("", requests));
		List<Integer> statuses = new ArrayList<>();
		for (int i = 0; i < requests.length; i++) {
			statuses.add(status(read()));
		}
		return statuses;
	}

	private void write(String requests) throws IOException {
		this.socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
	}

	private String read() throws IOException {
		String head = head();
		this.in.skipNBytes(length(head));
		return head;
	}

	private static int status(String head) {
		return Integer.parseInt(head.substring(9, 12));
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
		return head.toString().toLowerCase(Locale.ROOT);
	}

	private static long length(String head) {
		int at = head.indexOf("\ncontent-length:");
		if (at < 0) {
			throw new IllegalStateException("no length: " + head);
		}
		return Long.parseLong(head.substring(at + 16, head.indexOf('\r', at)).trim());
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
