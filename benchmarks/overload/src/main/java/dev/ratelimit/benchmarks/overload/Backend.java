package dev.ratelimit.benchmarks.overload;

import java.util.Arrays;
import java.util.Random;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/**
 * A simulated backend with a fixed number of slots and one queue. It only computes the
 * time at which each request would be finished, so that its capacity does not depend on
 * the CPU or on threads.
 */
@Component
@EnableConfigurationProperties(BackendProperties.class)
class Backend {

	private final BackendProperties properties;

	// The times at which the slots become free, in System.nanoTime.
	private final long[] freeAt;

	private final Random random = new Random(16);

	private double factor = 1;

	Backend(BackendProperties properties) {
		this.properties = properties;
		this.freeAt = new long[properties.slots()];
		Arrays.fill(this.freeAt, System.nanoTime());
	}

	/**
	 * Add a request to the queue.
	 * @param now the time at which the request arrives
	 * @return the time at which the request is finished
	 */
	synchronized long finishedAt(long now) {
		int slot = earliest();
		long start = (this.freeAt[slot] - now > 0) ? this.freeAt[slot] : now;
		this.freeAt[slot] = start + serviceNanos();
		return this.freeAt[slot];
	}

	/**
	 * Multiply the original service times by a factor, from the next request on.
	 */
	synchronized void slowBy(double factor) {
		this.factor = factor;
	}

	private long serviceNanos() {
		double scale = Math.exp(this.properties.sigma() * this.random.nextGaussian());
		return (long) (this.properties.median().toNanos() * scale * this.factor);
	}

	private int earliest() {
		int earliest = 0;
		for (int slot = 1; slot < this.freeAt.length; slot++) {
			if (this.freeAt[slot] - this.freeAt[earliest] < 0) {
				earliest = slot;
			}
		}
		return earliest;
	}

}
