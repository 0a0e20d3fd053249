package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Internal: compares the instance's clock with those of the store. If they differ,
 * {@code X-RateLimit-Reset} is wrong, and retries come when nothing is available.
 *
 * @param skewMillis how far each of the store's clocks is ahead of ours, as far as known
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
