package dev.ratelimit.load;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import dev.ratelimit.Criticality.Level;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the settings of the load guard. Immutable.
 *
 * @param shadow whether to only count requests without a seat
 * @param fixed the number of seats; empty if it adapts
 * @param range the range of an adaptive limit
 * @param queueLength the maximum number of requests that wait for a seat
 * @param maxWait the maximum wait; empty for the wait that the limit determines
 * @param shares the levels' shares of the seats, in percent
 * @param reserve the share of the seats for critical requests alone, in percent
 * @param utilization the settings for shedding whole levels; empty to never shed them
 */
public record LoadSettings(boolean shadow, OptionalInt fixed, LimitRange range, int queueLength,
		Optional<Duration> maxWait, Map<Level, Integer> shares, int reserve,
		Optional<UtilizationSettings> utilization) {

	/** The default shares of the levels, in percent. */
	public static final Map<Level, Integer> SHARES = Map.of(Level.CRITICAL, 40, Level.HIGH, 30, Level.NORMAL, 25,
			Level.LOW, 5);

	/** The maximum number of requests to management that are processed at a time. */
	private static final int MANAGEMENT_SEATS = 4;

	private static final int MANAGEMENT_QUEUE = 4;

	private static final Duration MANAGEMENT_WAIT = Duration.ofMillis(400);

	/** An adaptive limit, with the defaults of all properties. */
	public static final LoadSettings DEFAULT = new LoadSettings(false, OptionalInt.empty(), LimitRange.DEFAULT, 200,
			Optional.empty(), SHARES, 10, Optional.empty());

	/**
	 * Check the numbers, and copy the shares.
	 * @throws IllegalArgumentException if a number is out of range
	 */
	public LoadSettings {
		shares = Map.copyOf(shares);
		check(fixed.orElse(1) >= 1, "'limit' must be at least 1, but it is " + fixed.orElse(1));
		check(queueLength >= 0, "'queue.length' must be at least 0, but it is " + queueLength);
		check(maxWait.map((wait) -> !wait.isNegative()).orElse(true), "'queue.max-wait' must not be negative");
		check(reserve >= 0 && reserve < 100, "'reserve' must be from 0% to 99%, but it is " + reserve + "%");
		check(utilization.isEmpty() || fixed.isPresent(),
				"'utilization' requires 'limit' to be a number: an adaptive limit keeps the seats in use");
		for (Level level : Level.values()) {
			check(shares.getOrDefault(level, 0) > 0, "'levels' must give each level a share of at least 1%");
		}
		int sum = shares.values().stream().mapToInt(Integer::intValue).sum();
		check(sum <= 100, "the shares in 'levels' must be at most 100% together, but they are " + sum + "%");
	}

	private static void check(boolean holds, String message) {
		if (!holds) {
			throw new IllegalArgumentException(message);
		}
	}

	/**
	 * Return the settings of the seats of management. There are few seats, so that
	 * attempts to guess passwords use few resources. The seats are separate, so that
	 * other requests cannot occupy them.
	 * @return the settings
	 */
	LoadSettings ofManagement() {
		return new LoadSettings(this.shadow, OptionalInt.of(MANAGEMENT_SEATS), LimitRange.DEFAULT, MANAGEMENT_QUEUE,
				Optional.of(MANAGEMENT_WAIT), SHARES, 0, Optional.empty());
	}

	long maxWaitNanos(SeatLimit limit) {
		return this.maxWait.map(Duration::toNanos).orElseGet(limit::waitNanos);
	}

	@Nullable UtilizationShedder shedder(long nowNanos) {
		return this.utilization.map((settings) -> new UtilizationShedder(settings, this.fixed.orElseThrow(), nowNanos))
			.orElse(null);
	}

	SeatLimit limit(int routes, long nowNanos) {
		return (this.fixed.isPresent()) ? new SeatLimit.Fixed(this.fixed.getAsInt())
				: new AdaptiveLimit(this.range, routes, nowNanos);
	}

}
