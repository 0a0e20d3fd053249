package dev.ratelimit.benchmarks;

/**
 * The clients of a measurement, and the keys that they use.
 *
 * @param blocking whether each client is a thread that waits for its decisions;
 * otherwise, each client is a loop on the thread that completes its decisions
 * @param clients the number of clients
 * @param keys the number of keys, from which the clients choose at random
 * @param filled whether each key was charged once before
 * @param perSecond the number of requests that arrive per second, regardless of
 * responses; 0 if each client sends a request after the response to the previous one
 */
record Load(boolean blocking, int clients, int keys, boolean filled, int perSecond) {

	static Load loops(int clients, int keys) {
		return new Load(false, clients, keys, false, 0);
	}

	static Load threads(int clients, int keys) {
		return new Load(true, clients, keys, false, 0);
	}

	Load filledFirst() {
		return new Load(this.blocking, this.clients, this.keys, true, this.perSecond);
	}

	Load arriving(int perSecond) {
		return new Load(false, this.clients, this.keys, this.filled, perSecond);
	}

	String toText() {
		return this.blocking + "/" + this.clients + "/" + this.keys + "/" + this.filled + "/" + this.perSecond;
	}

	static Load parse(String text) {
		String[] parts = text.split("/");
		return new Load(Boolean.parseBoolean(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]),
				Boolean.parseBoolean(parts[3]), Integer.parseInt(parts[4]));
	}

}
