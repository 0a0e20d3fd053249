package dev.ratelimit;

import java.time.Duration;
import java.util.Optional;

/**
 * A limit: an algorithm, the units per period, and the capacity. Immutable. A value that
 * is out of range causes an {@link IllegalArgumentException}.
 *
 * @param algorithm the algorithm's id, such as {@code token-bucket}
 * @param quantity units per period, at least 1
 * @param period the period; for concurrent requests, the {@code lease}: the time after
 * which a slot is freed if its instance does not renew it. Whole milliseconds, 1 ms to
 * 366 days
 * @param burst the capacity: units that are available at once, at least 1
 * @param credit units beyond the burst that a bucket provides while it is not exhausted,
 * at least 0; refills restore them first
 * @param calendar the calendar that periods are aligned to, if any; the period is then
 * that of its unit
 * @param concurrent whether concurrent requests are counted instead of units per period
 * @since 0.1.0
 */
public record Limit(String algorithm, long quantity, Duration period, long burst, long credit,
		Optional<CalendarWindow> calendar, boolean concurrent) {

	private static final Duration MAX_PERIOD = Duration.ofDays(366);

	public Limit {
		require(quantity >= 1, "the quantity must be at least 1");
		require(burst >= 1, "the burst must be at least 1");
		require(credit >= 0, "the credit must not be negative");
		require(calendar.isEmpty() || calendar.get().unit().duration().equals(period),
				"the period must be the duration of the calendar unit");
		require(period.compareTo(Duration.ofMillis(1)) >= 0 && period.compareTo(MAX_PERIOD) <= 0,
				"the period must be between 1 ms and 366 days");
		require(period.toNanos() % 1_000_000 == 0, "the period must be whole milliseconds");
	}

	/**
	 * Create a limit of units per period, without credit and calendar.
	 * @param algorithm the algorithm's id, such as {@code token-bucket}
	 * @param quantity units per period, at least 1
	 * @param period the period
	 * @param burst the capacity, at least 1
	 */
	public Limit(String algorithm, long quantity, Duration period, long burst) {
		this(algorithm, quantity, period, burst, 0, Optional.empty(), false);
	}

	/**
	 * Return the period as a short word: {@code 1s}, {@code 1min}, {@code 90s},
	 * {@code 250ms}; {@code concurrent} for concurrent requests.
	 * @return the period in its largest whole unit
	 */
	public String window() {
		return (this.concurrent) ? "concurrent" : periodWord();
	}

	private String periodWord() {
		if (this.calendar.isPresent()) {
			return "1" + this.calendar.get().unit().word();
		}
		long millis = this.period.toMillis();
		for (Unit unit : Unit.values()) {
			if (millis % unit.millis == 0) {
				return (millis / unit.millis) + unit.word;
			}
		}
		throw new IllegalStateException("a millisecond divides every period");
	}

	/**
	 * Return the text form, such as {@code 100/min} or {@code 5/90s}, or {@code 20} for
	 * concurrent requests.
	 * @return the text form, without burst and algorithm
	 */
	@Override
	public String toString() {
		if (this.concurrent) {
			return Long.toString(this.quantity);
		}
		String window = periodWord();
		return this.quantity + "/"
				+ ((window.startsWith("1") && !Character.isDigit(window.charAt(1))) ? window.substring(1) : window);
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

	private enum Unit {

		DAY("d", 86_400_000), HOUR("h", 3_600_000), MINUTE("min", 60_000), SECOND("s", 1000), MILLISECOND("ms", 1);

		private final String word;

		private final long millis;

		Unit(String word, long millis) {
			this.word = word;
			this.millis = millis;
		}

	}

}
