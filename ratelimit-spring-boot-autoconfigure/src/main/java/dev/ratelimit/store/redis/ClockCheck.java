package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Internal: compares the instance's clock with the clocks of the store's servers. If they
 * differ, {@code X-RateLimit-Reset} is wrong, and clients retry when no units are
 * available.
 *
 * @param skewMillis the time by which the clock of each server is ahead of the instance's
 * clock, if known
 */
public record ClockCheck(Supplier<Map<String, Long>> skewMillis) implements Check {

	private static final long TOLERANCE_MILLIS = 1000;

	@Override
	public List<Finding> findings() {
		return this.skewMillis.get()
			.entrySet()
			.stream()
			.filter((clock) -> Math.abs(clock.getValue()) > TOLERANCE_MILLIS)
			.map((clock) -> finding(clock.getKey(), clock.getValue()))
			.toList();
	}

	private static Finding finding(String node, long millis) {
		return new Finding(FindingCode.CLOCK_SKEW, node, "Its clock is " + Math.abs(millis) + " ms "
				+ ((millis > 0) ? "ahead of" : "behind") + " the clock of this instance.");
	}

}
