package dev.ratelimit.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Sends requests over a real port, each on a new connection, byte for byte, including
 * requests that no well-behaved client would send.
 */
public final class HttpProbe {

	private static final int TIMEOUT_MILLIS = 30_000;

	private final int port;

	public HttpProbe(int port) {
		this.port = port;
	}

	public static String basic(String user, String password) {
		return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Send a request without a body.
	 * @param method the method
	 * @param path the path, with query
	 * @param headers alternating names and values
	 * @return the response
	 */
	public Reply send(String method, String path, String... headers) {
		return send(method, path, "", headers);
	}

	/**
	 * Send a request with a body.
	 * @param method the method
	 * @param path the path, with query
	 * @param body the body
	 * @param headers alternating names and values
	 * @return the response
	 */
	public Reply send(String method, String path, String body, String[] headers) {
		StringBuilder request = new StringBuilder(method).append(' ').append(path).append(" HTTP/1.1\r\n");
		request.append("Host: localhost\r\nConnection: close\r\n");
		if (!body.isEmpty() || method.startsWith("P")) {
			request.append("Content-Length: ").append(body.length()).append("\r\n");
		}
		for (int i = 0; i < headers.length; i += 2) {
			request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
		}
		return exchange(request.append("\r\n").append(body).toString());
	}

	/**
	 * Send the exact bytes of a request.
	 * @param request the request, one character a byte
	 * @return the response, with status 0 if the server has sent none
	 */
	public Reply sendRaw(String request) {
		byte[] response = bytes(request);
		return (response.length == 0) ? new Reply(0, Map.of(), "") : Reply.parse(response);
	}

	public Reply get(String path, String... headers) {
		return send("GET", path, headers);
	}

	public List<Integer> statuses(int times, String method, String path, String... headers) {
		return IntStream.range(0, times).mapToObj((i) -> send(method, path, headers).statusCode()).toList();
	}

	/**
	 * Send a request for a path and return before the response is read, so that the test
	 * can close the connection early.
	 * @param path the path, with query
	 * @param headers alternating names and values
	 * @return the connection
	 * @throws IOException if the connection fails
	 */
	public Socket open(String path, String... headers) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
		StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
		for (int i = 0; i < headers.length; i += 2) {
			request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
		}
		socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
		return socket;
	}

	private Reply exchange(String request) {
		return Reply.parse(bytes(request));
	}

	private byte[] bytes(String request) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
			return socket.getInputStream().readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
