package dev.ratelimit.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * The API of a partner that records the arrival of requests, and rejects one on command.
 */
final class PartnerStub implements AutoCloseable {

	private final Queue<Long> arrivals = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean rejecting = new AtomicBoolean();

	private final AtomicLong rejectedNanos = new AtomicLong();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final int waitSeconds;

	private final HttpServer server;

	PartnerStub(int waitSeconds) throws IOException {
		this.waitSeconds = waitSeconds;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	private void answer(HttpExchange exchange) throws IOException {
		long now = System.nanoTime();
		boolean reject = this.rejecting.compareAndSet(true, false);
		if (reject) {
			this.rejectedNanos.set(now);
			exchange.getResponseHeaders().set("Retry-After", String.valueOf(this.waitSeconds));
		}
		this.arrivals.add(now);
		exchange.sendResponseHeaders((reject) ? 429 : 200, -1);
		exchange.close();
	}

	void rejectNext() {
		this.rejecting.set(true);
	}

	/**
	 * Return the time of the rejection.
	 */
	long rejectedNanos() {
		return this.rejectedNanos.get();
	}

	/**
	 * Return the times of arrivals, in order.
	 */
	long[] arrivals() {
		return this.arrivals.stream().mapToLong(Long::longValue).sorted().toArray();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
