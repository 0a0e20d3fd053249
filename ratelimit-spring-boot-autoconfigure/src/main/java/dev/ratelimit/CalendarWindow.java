package dev.ratelimit;

import java.time.Duration;
import java.time.ZoneId;

/**
 * A period aligned to the calendar of a time zone. Immutable.
 *
 * @param unit the period
 * @param zone the time zone
 * @since 0.1.0
 */
public record CalendarWindow(Unit unit, ZoneId zone) {

	/**
	 * A calendar unit.
	 */
	public enum Unit {

		/** From one full hour to the next. */
		HOUR("h", Duration.ofHours(1)),

		/** From midnight to midnight. */
		DAY("d", Duration.ofDays(1)),

		/** From Monday to Monday. */
		WEEK("week", Duration.ofDays(7)),

		/** From the first of one month to the first of the next. */
		MONTH("month", Duration.ofDays(31));

		private final String word;

		private final Duration duration;

		Unit(String word, Duration duration) {
			this.word = word;
			this.duration = duration;
		}

		/**
		 * Return the name of the unit in the text form of a limit.
		 * @return the name, such as {@code d}
		 */
		public String word() {
			return this.word;
		}

		/**
		 * Return the duration of the unit, without daylight saving changes; 31 days for a
		 * month.
		 * @return the duration
		 */
		public Duration duration() {
			return this.duration;
		}

	}

}
