package dev.ratelimit.benchmarks.overload;

import java.util.Arrays;
import java.util.Random;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/**
 * A backend with so many slots and one queue, of which it only computes when it would
 * have finished: what it can do does not depend on the CPU, nor on threads.
 */
@Component
@EnableConfigurationProperties(BackendProperties.class)
class Backend {

	private final BackendProperties properties;

	// When each slot is free, in System.nanoTime.
	private final long[] freeAt;

	private final Random random = new Random(16);

	private double factor = 1;

	Backend(BackendProperties properties) {
		this.properties = properties;
		this.freeAt = new long[properties.slots()];
		Arrays.fill(this.freeAt, System.nanoTime());
	}

	/**
	 * Queue a request.
	 * @param now when it arrives
	 * @return when it is finished
	 */
	synchronized long finishedAt(long now) {
		int slot = earliest();
		long start = (this.freeAt[slot] - now > 0) ? this.freeAt[slot] : now;
		this.freeAt[slot] = start + serviceNanos();
		return this.freeAt[slot];
	}

	/**
	 * Take as many times as long, from the next request on.
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
