package dev.ratelimit.rule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Reads the text forms of limits: {@code 100/min}, {@code 5/90s}, {@code 10/PT15M},
 * {@code 20/min burst 30}, {@code 1000/day Europe/Paris}, and {@code 20 concurrent}.
 */
final class LimitText {

	private static final String NUMBER = "[0-9_]{1,19}";

	private static final Pattern CONCURRENT = Pattern.compile("(" + NUMBER + ")\\s+concurrent");

	/** A limit per period, and either a burst or a zone. */
	private static final Pattern WHOLE = Pattern.compile("(" + NUMBER + "\\s*/\\s*(?:P\\S+|[0-9]{0,9}\\s*[a-z]+))"
			+ "\\s+(?:burst\\s+([0-9][0-9_]{0,17})|(?!burst\\b)([A-Za-z][A-Za-z0-9/_+:-]*))");

	private static final Pattern LINE = Pattern
		.compile("[0-9_]+( concurrent|/[0-9A-Za-z.-]+( burst [0-9_]+| (?!burst$)[A-Za-z][A-Za-z0-9/_+:-]*)?)");

	private static final Pattern FORM = Pattern.compile("(" + NUMBER + ")\\s*/\\s*(.+)");

	private static final List<String> UNITS = List.of("ms", "s", "second", "m", "min", "minute", "h", "hour", "d",
			"day", "week");

	private static final Pattern PERIOD = Pattern.compile("([0-9]{0,9})\\s*(" + String.join("|", UNITS) + ")");

	private static final Pattern CALENDAR_UNIT = Pattern.compile("1?\\s*(h|hour|d|day|week|month)");

	/** The maximum length of a text; longer than any valid limit. */
	private static final int MAX_CHARACTERS = 200;

	private static final Duration LEASE = Duration.ofMinutes(1);

	private LimitText() {
	}

	/**
	 * Split a text into the properties that it contains. A text without a burst, a zone,
	 * or the word 'concurrent' is returned unchanged, even if it is not a limit.
	 * @param text the text
	 * @return the properties
	 */
	static LimitDefinition split(String text) {
		if (text.length() > MAX_CHARACTERS) {
			return new LimitDefinition(text, OptionalLong.empty(), Optional.empty());
		}
		String trimmed = text.trim();
		Matcher concurrent = CONCURRENT.matcher(trimmed);
		if (concurrent.matches()) {
			return new LimitDefinition(concurrent.group(1), OptionalLong.empty(), Optional.of(Algorithms.CONCURRENT));
		}
		Matcher whole = WHOLE.matcher(trimmed);
		if (!whole.matches()) {
			return new LimitDefinition(text, OptionalLong.empty(), Optional.empty());
		}
		if (whole.group(2) != null) {
			return new LimitDefinition(whole.group(1), OptionalLong.of(quantity(whole.group(2))), Optional.empty());
		}
		return new LimitDefinition(whole.group(1), OptionalLong.empty(), Optional.of(Algorithms.CALENDAR),
				new LimitOptions(Optional.of(whole.group(3)), OptionalLong.empty(), Optional.empty()));
	}

	/**
	 * Whether a text has the form of a limit, without blanks around a slash. Its numbers
	 * are checked when the rule is created.
	 * @param text the text
	 * @return whether it has the form
	 */
	static boolean hasForm(String text) {
		return text.equals(LimitSetFactory.UNLIMITED) || LINE.matcher(text).matches();
	}

	/**
	 * Read a limit.
	 * @param text the text form
	 * @param algorithm the algorithm
	 * @param burst the burst, if it is not the quantity
	 * @param options the options that only some algorithms support
	 * @return the limit
	 * @throws IllegalArgumentException if the text is not a limit
	 */
	static Limit parse(String text, Algorithm algorithm, OptionalLong burst, LimitOptions options) {
		Limit limit = (algorithm.countsConcurrentRequests()) ? concurrent(text.trim(), algorithm.id(), burst, options)
				: perPeriod(text, algorithm.id(), burst, options);
		Algorithms.check(limit);
		return limit;
	}

	private static Limit perPeriod(String text, String algorithm, OptionalLong burst, LimitOptions options) {
		if (options.lease().isPresent()) {
			throw new IllegalArgumentException(
					"only " + Algorithms.named(Algorithm::countsConcurrentRequests) + " supports 'lease'");
		}
		Matcher form = FORM.matcher(text.trim());
		if (!form.matches()) {
			throw notALimit("'" + text + "' is not a quantity and a period");
		}
		long quantity = quantity(form.group(1));
		long capacity = burst.orElse(quantity);
		long credit = options.credit().orElse(0);
		if (options.zone().isPresent()) {
			CalendarWindow calendar = new CalendarWindow(calendarUnit(form.group(2)), zone(options.zone().get()));
			return new Limit(algorithm, quantity, calendar.unit().duration(), capacity, credit, Optional.of(calendar),
					false);
		}
		return new Limit(algorithm, quantity, period(form.group(2)), capacity, credit, Optional.empty(), false);
	}

	private static CalendarWindow.Unit calendarUnit(String text) {
		Matcher unit = CALENDAR_UNIT.matcher(text);
		if (!unit.matches()) {
			throw new IllegalArgumentException("'" + text + "' is not a calendar unit; with a time zone, use a limit"
					+ " such as 100/hour, 1000/day, 5000/week, or 10_000/month");
		}
		return switch (unit.group(1)) {
			case "h", "hour" -> CalendarWindow.Unit.HOUR;
			case "d", "day" -> CalendarWindow.Unit.DAY;
			case "week" -> CalendarWindow.Unit.WEEK;
			default -> CalendarWindow.Unit.MONTH;
		};
	}

	private static ZoneId zone(String id) {
		try {
			return ZoneId.of(id);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("'" + id + "' is not a time zone; use one such as Europe/Paris or UTC",
					ex);
		}
	}

	private static Limit concurrent(String text, String algorithm, OptionalLong burst, LimitOptions options) {
		if (!text.matches("[0-9_]{1,19}")) {
			throw new IllegalArgumentException("'" + text + "' is not a number of requests; for " + algorithm
					+ ", use a number such as 20, and 'max-hold' for the maximum duration of a request");
		}
		if (options.zone().isPresent()) {
			throw new IllegalArgumentException(
					"only " + Algorithms.named(Algorithm::followsCalendar) + " supports 'zone'");
		}
		long quantity = quantity(text);
		return new Limit(algorithm, quantity, options.lease().orElse(LEASE), burst.orElse(quantity),
				options.credit().orElse(0), Optional.empty(), true);
	}

	private static long quantity(String digits) {
		try {
			return Long.parseLong(digits.replace("_", ""));
		}
		catch (NumberFormatException ex) {
			throw notALimit("'" + digits + "' is too large");
		}
	}

	private static Duration period(String text) {
		if (text.startsWith("P")) {
			try {
				return Duration.parse(text);
			}
			catch (DateTimeParseException ex) {
				throw notALimit("'" + text + "' is not an ISO-8601 duration");
			}
		}
		if (text.endsWith(CalendarWindow.Unit.MONTH.word())) {
			throw new IllegalArgumentException("a month requires a time zone, such as 10_000/month Europe/Paris");
		}
		Matcher period = PERIOD.matcher(text);
		if (!period.matches()) {
			throw notALimit("'" + text + "' is not a period" + meant(text));
		}
		long count = (period.group(1).isEmpty()) ? 1 : Long.parseLong(period.group(1));
		return unit(period.group(2)).multipliedBy(count);
	}

	private static String meant(String period) {
		String unit = period.replaceAll("^[0-9]*\\s*", "");
		return SimilarNames.nearest(unit, UNITS).map((found) -> " (did you mean '" + found + "'?)").orElse("");
	}

	private static Duration unit(String word) {
		return switch (word) {
			case "ms" -> Duration.ofMillis(1);
			case "s", "second" -> Duration.ofSeconds(1);
			case "h", "hour" -> Duration.ofHours(1);
			case "d", "day" -> Duration.ofDays(1);
			case "week" -> Duration.ofDays(7);
			default -> Duration.ofMinutes(1);
		};
	}

	private static IllegalArgumentException notALimit(String what) {
		return new IllegalArgumentException(
				what + "; use a limit such as 10/s, 100/min, 1000/h, 5000/d, 5/90s, or 5/PT15M");
	}

}
