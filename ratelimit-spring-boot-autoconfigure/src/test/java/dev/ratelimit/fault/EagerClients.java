package dev.ratelimit.fault;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * Clients that send the next request immediately after each response, each on one
 * connection.
 */
final class EagerClients {

	static final int CONNECTIONS = 16;

	/** A timeout that exceeds the time of any response, even on a busy machine. */
	private static final int HUNG_MILLIS = 30_000;

	private static final int STATUSES = 600;

	private final AtomicIntegerArray answers = new AtomicIntegerArray(STATUSES);

	private final AtomicInteger hung = new AtomicInteger();

	private final AtomicInteger failed = new AtomicInteger();

	private final List<String> requests;

	private final int each;

	private EagerClients(int total, List<String> requests) {
		this.requests = requests;
		this.each = total / CONNECTIONS;
	}

	/**
	 * Send requests.
	 * @param port the port of the server
	 * @param total the number of requests
	 * @param requests the requests, which each connection sends in turn
	 * @return the clients with their counts
	 */
	static EagerClients call(int port, int total, List<String> requests) throws InterruptedException {
		EagerClients callers = new EagerClients(total, requests);
		List<Thread> threads = IntStream.range(0, CONNECTIONS)
			.mapToObj((number) -> new Thread(() -> callers.call(port, number), "eager-" + number))
			.toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		return callers;
	}

	private void call(int port, int number) {
		try (HttpCaller http = new HttpCaller(port, HUNG_MILLIS)) {
			for (int i = 0; i < this.each; i++) {
				String request = this.requests.get((number + i) % this.requests.size());
				this.answers.incrementAndGet(http.pipeline(request).get(0));
			}
		}
		catch (SocketTimeoutException ex) {
			this.hung.incrementAndGet();
		}
		catch (IOException ex) {
			this.failed.incrementAndGet();
		}
	}

	int hung() {
		return this.hung.get();
	}

	int failed() {
		return this.failed.get();
	}

	int answers(int status) {
		return this.answers.get(status);
	}

	int answers() {
		return IntStream.range(0, STATUSES).map(this.answers::get).sum();
	}

	@Override
	public String toString() {
		return answers() + " responses (" + answers(200) + " admitted, " + answers(429) + " rejected), " + this.hung
				+ " of " + CONNECTIONS + " connections without one";
	}

}
