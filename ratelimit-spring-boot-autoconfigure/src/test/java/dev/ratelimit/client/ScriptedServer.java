package dev.ratelimit.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.springframework.http.HttpHeaders;

/**
 * A server that sends scripted responses in order, and then status 200.
 */
final class ScriptedServer implements AutoCloseable {

	private static final byte[] TEXT = "refused".getBytes(StandardCharsets.UTF_8);

	private final HttpServer server;

	private final ExecutorService threads = Executors.newFixedThreadPool(4);

	private final Queue<AcquireResult> answers = new ConcurrentLinkedQueue<>();

	private final List<Received> received = new CopyOnWriteArrayList<>();

	ScriptedServer() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", this::handle);
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	/**
	 * Add a response with a status and fields in the form "Name: value".
	 */
	void answer(int status, String... fields) {
		this.answers.add(new AcquireResult(status, List.of(fields)));
	}

	void answerTimes(int times, int status, String... fields) {
		for (int i = 0; i < times; i++) {
			answer(status, fields);
		}
	}

	List<Received> received() {
		return this.received;
	}

	void forget() {
		this.answers.clear();
		this.received.clear();
	}

	String url(String host) {
		return "http://" + host + ":" + this.server.getAddress().getPort();
	}

	private void handle(HttpExchange exchange) throws IOException {
		String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
		HttpHeaders headers = new HttpHeaders();
		exchange.getRequestHeaders().forEach(headers::addAll);
		this.received.add(new Received(exchange.getRequestMethod(), headers, body));
		AcquireResult answer = this.answers.poll();
		if (answer != null) {
			answer.fields().forEach((field) -> {
				int colon = field.indexOf(": ");
				exchange.getResponseHeaders().add(field.substring(0, colon), field.substring(colon + 2));
			});
		}
		int status = (answer != null) ? answer.status() : 200;
		// A body delays the response because of how the server sends packets, so only one
		// kind of response has a body.
		boolean speaks = status == 429 && !exchange.getRequestMethod().equals("HEAD");
		exchange.sendResponseHeaders(status, (speaks) ? TEXT.length : -1);
		if (speaks) {
			exchange.getResponseBody().write(TEXT);
		}
		exchange.close();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	private record AcquireResult(int status, List<String> fields) {
	}

	/**
	 * A received request.
	 */
	record Received(String method, HttpHeaders headers, String body) {
	}

}
