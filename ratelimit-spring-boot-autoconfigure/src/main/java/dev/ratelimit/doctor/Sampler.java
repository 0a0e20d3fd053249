package dev.ratelimit.doctor;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses the requests that are looked at more closely: the first ones, then one of 64.
 * Choosing writes nothing that threads share once the first ones are through.
 * Thread-safe.
 */
final class Sampler {

	private static final int FIRST = 256;

	/** A power of two. */
	private static final int EVERY = 64;

	// Threads may overwrite each other's count: a few more of the first ones do no harm.
	private int seen;

	boolean takes() {
		int before = this.seen;
		if (before < FIRST) {
			this.seen = before + 1;
			return true;
		}
		return (ThreadLocalRandom.current().nextInt() & (EVERY - 1)) == 0;
	}

}
