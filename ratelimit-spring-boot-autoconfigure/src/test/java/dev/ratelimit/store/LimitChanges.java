package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import dev.ratelimit.Limit;

/**
 * Counts the units that one subject gets on one instance while its limit changes from A
 * to B to C and back to A. No time passes.
 */
public final class LimitChanges {

	private final LimitStore store;

	private final SplittableRandom random;

	private final String rule;

	private long granted;

	public LimitChanges(LimitStore store, long seed) {
		this.store = store;
		this.random = new SplittableRandom(seed);
		this.rule = "changes" + Long.toHexString(seed);
	}

	/**
	 * Apply all changes.
	 * @param algorithm the algorithm of all limits
	 * @return units that were granted beyond the largest limit and one old capacity
	 */
	public long excess(String algorithm) {
		List<Limit> limits = Stream.generate(() -> limit(algorithm)).limit(3).toList();
		BucketFamily family = family(limits.get(0));
		charge(family);
		for (int next : List.of(1, 2, 0)) {
			family = family(limits.get(next)).replacing(family, new Activation());
			charge(family);
		}
		long largest = limits.stream().mapToLong(Limit::burst).max().orElseThrow();
		return this.granted - 2 * largest;
	}

	private Limit limit(String algorithm) {
		long quantity = 1 + this.random.nextLong(30);
		return new Limit(algorithm, quantity, Duration.ofMinutes(1 + this.random.nextLong(90)), quantity);
	}

	private BucketFamily family(Limit limit) {
		return Demands.family(this.rule, limit);
	}

	private void charge(BucketFamily family) {
		boolean exhausts = this.random.nextInt(3) == 0;
		int times = (exhausts) ? 100 : this.random.nextInt(4);
		for (int i = 0; i < times; i++) {
			long cost = (exhausts) ? 1 : 1 + this.random.nextLong(5);
			boolean allowed = this.store.acquire(Demands.of(Demands.charge(family, "ann", cost))).join().allowed();
			this.granted += (allowed) ? cost : 0;
		}
	}

}
