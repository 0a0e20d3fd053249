package dev.ratelimit.algorithm;

import java.util.Optional;

/**
 * The arithmetic of {@link Gcra}. The state is the theoretical arrival time in
 * microseconds: when a bucket that is charged no more will be full.
 */
class GcraCalculator extends TokenBucketCalculator {

	private final long[] luaArguments;

	GcraCalculator(long capacity, long quantity, Refill interval, Optional<String> remark) {
		super(capacity, 0, quantity, interval, remark);
		this.luaArguments = new long[] { interval.millis(), capacity * interval.millis(),
				2 * Math.max(capacity, quantity) * interval.millis() };
	}

	@Override
	public long[] luaArguments(long nowMillis) {
		return this.luaArguments;
	}

}
