package dev.ratelimit.test.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Serves one empty page, so that scripts have an origin.
 */
final class PageServer implements AutoCloseable {

	private static final byte[] PAGE = "<!DOCTYPE html><title>page</title>".getBytes(StandardCharsets.UTF_8);

	private final HttpServer server;

	private PageServer(HttpServer server) {
		this.server = server;
	}

	static PageServer start() {
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			server.createContext("/", PageServer::answer);
			server.start();
			return new PageServer(server);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort() + "/";
	}

	private static void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			exchange.getResponseHeaders().set("Content-Type", "text/html;charset=UTF-8");
			exchange.sendResponseHeaders(200, PAGE.length);
			exchange.getResponseBody().write(PAGE);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
