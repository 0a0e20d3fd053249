package dev.ratelimit.test;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Generates limits, costs, and times of all sizes. Edge cases are more frequent than in
 * production.
 */
public final class RandomLimits {

	/** Keeps all times between the epoch and the end of exact arithmetic, 20 years on. */
	private static final long LONGEST_JUMP = Duration.ofDays(10).toMillis();

	/** These algorithms store an entry for each unit, so large quantities take longer. */
	private static final Set<String> LOGGING = Set.of("sliding-log");

	private static final CalendarWindow.Unit[] UNITS = CalendarWindow.Unit.values();

	private static final List<String> ZONES = List.of("UTC", "Europe/Paris", "Asia/Kolkata", "Australia/Lord_Howe",
			"Africa/Cairo", "America/Santiago");

	private RandomLimits() {
	}

	/**
	 * Return a limit that the algorithm supports.
	 */
	public static Limit next(SplittableRandom random, String algorithm) {
		while (true) {
			Limit limit = any(random, algorithm);
			try {
				Algorithms.find(algorithm).orElseThrow().calculator(limit);
				return limit;
			}
			catch (IllegalArgumentException ex) {
				assertThat(ex).hasMessageMatching(".*(burst|higher than|supports at most|exactly).*");
			}
		}
	}

	private static Limit any(SplittableRandom random, String algorithm) {
		long quantity = (LOGGING.contains(algorithm)) ? scaled(random, 3) : scaled(random, 6);
		if (Algorithms.find(algorithm).orElseThrow().followsCalendar() && random.nextBoolean()) {
			CalendarWindow calendar = new CalendarWindow(UNITS[random.nextInt(UNITS.length)],
					ZoneId.of(ZONES.get(random.nextInt(ZONES.size()))));
			return new Limit(algorithm, quantity, calendar.unit().duration(), quantity, 0, Optional.of(calendar),
					false);
		}
		boolean burst = bursts(algorithm) && random.nextBoolean();
		boolean credit = Algorithms.find(algorithm).orElseThrow().givesCredit() && random.nextBoolean();
		return new Limit(algorithm, quantity, Duration.ofMillis(scaled(random, 9)),
				(burst) ? scaled(random, 6) : quantity, (credit) ? scaled(random, 6) : 0, Optional.empty(), false);
	}

	/**
	 * Return whether limits of an algorithm may have a burst other than their quantity.
	 */
	public static boolean bursts(String algorithm) {
		try {
			Algorithms.find(algorithm).orElseThrow().calculator(new Limit(algorithm, 10, Duration.ofSeconds(1), 5));
			return true;
		}
		catch (IllegalArgumentException ex) {
			assertThat(ex).hasMessageContaining("does not support 'burst'");
			return false;
		}
	}

	/**
	 * Return the number of milliseconds that the clock advances before the next call,
	 * negative if it is set back.
	 */
	public static long jump(SplittableRandom random, long fillMillis) {
		long longest = Math.min(fillMillis, LONGEST_JUMP);
		return switch (random.nextInt(12)) {
			case 0 -> -random.nextLong(1 + ((random.nextBoolean()) ? longest / 4 : 4 * longest));
			case 1 -> -random.nextLong(3);
			case 2 -> random.nextLong(1 + 2 * longest);
			case 3, 4, 5 -> 0;
			default -> random.nextLong(2 + longest / 10);
		};
	}

	public static long cost(SplittableRandom random, long capacity) {
		return switch (random.nextInt(8)) {
			case 0 -> 0;
			case 1 -> random.nextLong(capacity + 2);
			case 2 -> random.nextLong(1 + capacity / 2);
			default -> 1 + random.nextLong(1 + capacity / 8);
		};
	}

	// Return a number between 1 and a power of ten. Each number of digits is equally
	// likely.
	private static long scaled(SplittableRandom random, int digits) {
		long bound = 10;
		for (int i = random.nextInt(digits); i > 0; i--) {
			bound *= 10;
		}
		return random.nextLong(1, bound + 1);
	}

}
