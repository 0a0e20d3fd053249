package dev.ratelimit.benchmarks;

/**
 * The clients of a measurement, and the keys that they use.
 *
 * @param blocking whether each client is a thread that waits for its decisions, or a loop
 * on the thread that completes them
 * @param clients how many clients there are
 * @param keys how many keys they choose from at random
 * @param filled whether each key was charged once before
 * @param perSecond how many requests arrive in a second, whether or not those before have
 * been answered; 0 if each client sends the next one when it has the answer
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
