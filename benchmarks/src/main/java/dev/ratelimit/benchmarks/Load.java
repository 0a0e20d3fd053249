package dev.ratelimit.benchmarks;

/**
 * The clients of a measurement, and the keys that they use.
 *
 * @param blocking whether each client is a thread that waits for its decisions, or a loop
 * on the thread that completes them
 * @param clients how many clients there are
 * @param keys how many keys they choose from at random
 * @param filled whether each key was charged once before
 */
record Load(boolean blocking, int clients, int keys, boolean filled) {

	static Load loops(int clients, int keys) {
		return new Load(false, clients, keys, false);
	}

	static Load threads(int clients, int keys) {
		return new Load(true, clients, keys, false);
	}

	Load filledFirst() {
		return new Load(this.blocking, this.clients, this.keys, true);
	}

	String toText() {
		return this.blocking + "/" + this.clients + "/" + this.keys + "/" + this.filled;
	}

	static Load parse(String text) {
		String[] parts = text.split("/");
		return new Load(Boolean.parseBoolean(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]),
				Boolean.parseBoolean(parts[3]));
	}

}
