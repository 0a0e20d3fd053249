package dev.ratelimit.benchmarks.openloop;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Which requests come: the shares of the levels, in the order of {@link Level}, and the
 * number of requests of the first tenant for each one of another.
 */
record Mix(List<Double> shares, double noise) {

	/** Clients with an address each. */
	static final int TENANTS = 10;

	static final Mix USUAL = new Mix(List.of(0.10, 0.30, 0.50, 0.10), 1);

	/** What is not high stays within its share of the capacity at three times of it. */
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
