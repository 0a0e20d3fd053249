package dev.ratelimit.http.matrix;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Records the components that requests reached in the application, by client.
 * Thread-safe.
 */
final class Reached {

	/** The header that contains the client. */
	static final String CLIENT = "X-Client";

	private final Map<String, Seen> clients = new ConcurrentHashMap<>();

	Seen of(@Nullable String client) {
		return this.clients.computeIfAbsent((client != null) ? client : "unknown", (name) -> new Seen());
	}

	/**
	 * The components that one client reached.
	 */
	static final class Seen {

		private final AtomicInteger filters = new AtomicInteger();

		private final AtomicInteger last = new AtomicInteger();

		private final AtomicInteger passwords = new AtomicInteger();

		private final List<String> handlers = new CopyOnWriteArrayList<>();

		private volatile String method = "";

		private volatile long number;

		private volatile String key = "";

		void filtered() {
			this.filters.incrementAndGet();
		}

		void passed() {
			this.last.incrementAndGet();
		}

		void presented() {
			this.passwords.incrementAndGet();
		}

		void served(String handler, String by) {
			this.method = by;
			this.handlers.add(handler);
		}

		void served(String handler, String by, long read) {
			this.number = read;
			served(handler, by);
		}

		void served(String handler, String by, String read) {
			this.key = read;
			served(handler, by);
		}

		// Return whether the request reached a component after the early phase.
		boolean isExamined() {
			return this.filters.get() > 0 || this.passwords.get() > 0 || isPassed();
		}

		boolean isPassed() {
			return this.last.get() > 0 || !this.handlers.isEmpty();
		}

		List<String> handlers() {
			return this.handlers;
		}

		String method() {
			return this.method;
		}

		/** Return the number that the handler has read. */
		long number() {
			return this.number;
		}

		/** Return the key that the handler has read. */
		String key() {
			return this.key;
		}

		@Override
		public String toString() {
			return "filters " + this.filters + ", passwords " + this.passwords + ", last filter " + this.last
					+ ", handlers " + this.handlers + " " + this.method;
		}

	}

}
