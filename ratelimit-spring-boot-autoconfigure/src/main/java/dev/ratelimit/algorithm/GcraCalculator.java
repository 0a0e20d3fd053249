package dev.ratelimit.algorithm;

import java.util.Optional;

/**
 * The calculator of {@link Gcra}. The state is the theoretical arrival time in
 * microseconds: the time at which the bucket will be full if it is not charged again.
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
