package dev.ratelimit.benchmarks.crowd;

/**
 * The state of a server at one moment.
 *
 * @param threads the number of platform threads
 * @param heap the number of bytes on the heap; only has a meaning after a garbage
 * collection
 * @param waiting the number of waiting requests
 */
record Look(int threads, long heap, int waiting) {

	static Look parse(String line) {
		String[] words = line.split(" ");
		return new Look(Integer.parseInt(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]));
	}

}
