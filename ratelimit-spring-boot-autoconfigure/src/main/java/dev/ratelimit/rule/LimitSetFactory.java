package dev.ratelimit.rule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Makes the numbers of a rule and of its plans, and rejects those that can never work.
 *
 * @param cost what one request costs
 * @param checks names the culprit
 */
record LimitSetFactory(Cost cost, Checks checks) {

	private static final String UNLIMITED = "unlimited";

	/** Such as {@code 0/min}. */
	private static final Pattern NOTHING = Pattern.compile("0+\\s*(/.*)?");

	/** Renewed each second, of which one may fail and one be late. */
	private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);

	/**
	 * Make the numbers.
	 * @param part where they are written, after the rule
	 * @param written the numbers as written
	 * @return the numbers
	 */
	LimitSet quota(String part, LimitSetDefinition written) {
		List<LimitDefinition> limits = written.limits();
		this.checks.require(!limits.isEmpty(), part, "", "the rule has no limit", "Add one, such as 'limit: 100/min'.");
		boolean unlimited = limits.stream().anyMatch((one) -> one.limit().equals(UNLIMITED));
		this.checks.require(!unlimited || limits.size() == 1, part + ".limits", UNLIMITED,
				"'unlimited' cannot be combined with other limits", "Keep one of them.");
		Optional<LimitDefinition> blocked = limits.stream()
			.filter((one) -> NOTHING.matcher(one.limit()).matches())
			.findFirst();
		this.checks.require(blocked.isEmpty() || limits.size() == 1, part + ".limits",
				blocked.map(LimitDefinition::limit).orElse(""), "a limit of 0 cannot be combined with other limits",
				"Keep one of them.");
		if (unlimited || blocked.isPresent()) {
			warnOfBurst(part, written);
			return (unlimited) ? LimitSet.UNLIMITED : LimitSet.BLOCKED;
		}
		return LimitSet.of(limits(part, written));
	}

	// A profile may override the limit alone, so the burst of another profile may remain.
	private void warnOfBurst(String part, LimitSetDefinition written) {
		LimitDefinition only = written.limits().get(0);
		OptionalLong burst = (only.burst().isPresent()) ? only.burst() : written.burst();
		burst.ifPresent((units) -> this.checks.warnIf(true, part + ".burst", Long.toString(units),
				"'" + only.limit() + "' does not support 'burst'; it is ignored"));
	}

	private List<Limit> limits(String part, LimitSetDefinition written) {
		this.checks.require(written.limits().size() == 1 || written.burst().isEmpty(), part + ".burst",
				(written.burst().isPresent()) ? Long.toString(written.burst().getAsLong()) : "",
				"with more than one limit, it is not clear which limit it belongs to",
				"Set 'burst' on each limit: 'limits: [{ limit: 100/min, burst: 150 }, ...]'.");
		List<Limit> limits = new ArrayList<>();
		Set<String> windows = new HashSet<>();
		for (LimitDefinition one : written.limits()) {
			Limit limit = limit(part, written, one);
			this.checks.require(windows.add(limit.window()), part + ".limits", limit.toString(),
					"the rule has two limits per " + limit.window(), "Keep the smaller one.");
			limits.add(limit);
		}
		return limits;
	}

	private Limit limit(String part, LimitSetDefinition written, LimitDefinition one) {
		Algorithm algorithm = algorithm(part, one.algorithm().or(written::algorithm).orElse(Algorithms.DEFAULT));
		OptionalLong burst = (one.burst().isPresent()) ? one.burst() : written.burst();
		LimitOptions options = one.options().over(written.options());
		Limit limit = this.checks.tried(part + ".limit", one.limit(), "Correct the limit.",
				() -> LimitText.parse(one.limit(), algorithm, burst, options));
		this.checks.require(!limit.concurrent() || limit.period().compareTo(SHORTEST_LEASE) >= 0, part + ".lease",
				limit.period().toString(),
				"slots are renewed once a second, so a lease below 3s could end while requests hold them",
				"Set 'lease' to at least 3s, such as 30s.");
		long capacity = this.checks
			.tried(part + ".limit", limit + " with burst " + limit.burst(), "Change the limit or its burst.",
					() -> algorithm.arithmetic(limit))
			.capacity();
		this.checks.require(this.cost.units() <= capacity, ".cost", this.cost.toString(),
				"it is above the capacity of " + capacity + " (" + limit + "), so every request would be rejected",
				"Decrease 'cost' or increase 'burst'. See docs/doctor.md#rl007.");
		return limit;
	}

	private Algorithm algorithm(String part, String id) {
		Optional<Algorithm> found = Algorithms.find(id);
		this.checks.require(found.isPresent(), part + ".algorithm", id,
				"there is no such algorithm; the algorithms are " + String.join(", ", Algorithms.ids()),
				"Use one of these, or remove it.");
		return found.orElseThrow();
	}

	/**
	 * Reads limits as people write them: {@code 100/min}, {@code 5/90s},
	 * {@code 10/PT15M}, and {@code 20} for concurrent requests.
	 */
	static final class LimitText {

		private static final Pattern FORM = Pattern.compile("([0-9_]{1,19})\\s*/\\s*(.+)");

		private static final Pattern PERIOD = Pattern.compile("([0-9]{0,9})\\s*(ms|s|min|m|h|d)");

		private static final Duration LEASE = Duration.ofMinutes(1);

		private LimitText() {
		}

		/**
		 * Read a limit.
		 * @param text the text form
		 * @param algorithm the algorithm
		 * @param burst the burst, if it is not the quantity
		 * @param options what only some algorithms know
		 * @return the limit
		 * @throws IllegalArgumentException if the text is not a limit
		 */
		static Limit parse(String text, Algorithm algorithm, OptionalLong burst, LimitOptions options) {
			Limit limit = (algorithm.countsConcurrentRequests())
					? concurrent(text.trim(), algorithm.id(), burst, options)
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
				return new Limit(algorithm, quantity, calendar.unit().duration(), capacity, credit,
						Optional.of(calendar), false);
			}
			return new Limit(algorithm, quantity, period(form.group(2)), capacity, credit, Optional.empty(), false);
		}

		private static CalendarWindow.Unit calendarUnit(String text) {
			for (CalendarWindow.Unit unit : CalendarWindow.Unit.values()) {
				if (text.matches("1?\\s*" + unit.word())) {
					return unit;
				}
			}
			throw new IllegalArgumentException("'" + text
					+ "' is not a calendar unit; with 'zone', use a limit such as 100/h, 1000/d, or 10_000/month");
		}

		private static ZoneId zone(String id) {
			try {
				return ZoneId.of(id);
			}
			catch (DateTimeException ex) {
				throw new IllegalArgumentException(
						"'" + id + "' is not a time zone; use one such as Europe/Paris or UTC", ex);
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
				throw new IllegalArgumentException("a month requires 'zone', such as Europe/Paris, and 'algorithm: "
						+ Algorithms.named(Algorithm::followsCalendar) + "'");
			}
			Matcher period = PERIOD.matcher(text);
			if (!period.matches()) {
				throw notALimit("'" + text + "' is not a period");
			}
			long count = (period.group(1).isEmpty()) ? 1 : Long.parseLong(period.group(1));
			return unit(period.group(2)).multipliedBy(count);
		}

		private static Duration unit(String word) {
			return switch (word) {
				case "ms" -> Duration.ofMillis(1);
				case "s" -> Duration.ofSeconds(1);
				case "h" -> Duration.ofHours(1);
				case "d" -> Duration.ofDays(1);
				default -> Duration.ofMinutes(1);
			};
		}

		private static IllegalArgumentException notALimit(String what) {
			return new IllegalArgumentException(
					what + "; use a limit such as 10/s, 100/min, 1000/h, 5000/d, 5/90s, or 5/PT15M");
		}

	}

}
