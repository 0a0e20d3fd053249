package dev.ratelimit.benchmarks.openloop;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The composition of requests: the shares of the levels, in the order of {@link Level},
 * and the number of requests of the first tenant for each request of another tenant.
 */
record Mix(List<Double> shares, double noise) {

	/** The number of clients, each with its own address. */
	static final int TENANTS = 10;

	static final Mix USUAL = new Mix(List.of(0.10, 0.30, 0.50, 0.10), 1);

	/**
	 * Mostly high requests. The other levels stay within their shares of the capacity,
	 * even at three times the capacity.
	 */
	static final Mix MOSTLY_HIGH = new Mix(List.of(0.035, 0.90, 0.05, 0.015), 1);

	static final Mix NOISY_TENANT = new Mix(USUAL.shares, 100);

	Level level(RandomGenerator random) {
		double left = random.nextDouble();
		for (Level level : Level.values()) {
			left -= this.shares.get(level.ordinal());
			if (left < 0) {
				return level;
			}
		}
		return Level.NORMAL;
	}

	int tenant(RandomGenerator random) {
		double place = random.nextDouble(this.noise + TENANTS - 1);
		return (place < this.noise) ? 0 : 1 + (int) (place - this.noise);
	}

}
