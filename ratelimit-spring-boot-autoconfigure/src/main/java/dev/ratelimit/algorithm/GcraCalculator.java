package dev.ratelimit.algorithm;

import java.util.Optional;

/**
 * The arithmetic of {@link Gcra}. The state is the theoretical arrival time in
 * microseconds: when a bucket that is charged no more will be full. It is at most the
 * time of a charge and its fill time; so a clock that leaps forward and back locks nobody
 * out for longer than the leap and one fill time.
 */
class GcraCalculator extends TokenBucketCalculator {

	private final long[] luaArguments;

	GcraCalculator(long capacity, Refill interval, Optional<String> remark) {
		super(capacity, 0, interval, remark);
		this.luaArguments = new long[] { interval.millis(), capacity * interval.millis() };
	}

	@Override
	public long[] luaArguments(long nowMillis) {
		return this.luaArguments;
	}

}
