package dev.ratelimit.benchmarks.crowd;

/**
 * What a server is like at a moment, after a garbage collection.
 *
 * @param threads its platform threads
 * @param heap bytes on its heap
 * @param waiting requests in its lines
 */
record Look(int threads, long heap, int waiting) {

	static Look parse(String line) {
		String[] words = line.split(" ");
		return new Look(Integer.parseInt(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
	}

}
