package dev.ratelimit.algorithm;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.SplittableRandom;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.CalendarWindow.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CalendarWindowsTests {

	@ParameterizedTest
	@CsvSource({ "DAY, 2026-03-28T12:00+01:00[Europe/Paris], 2026-03-28T00:00+01:00, 2026-03-29T00:00+01:00, 24",
			"DAY, 2026-03-29T12:00+02:00[Europe/Paris], 2026-03-29T00:00+01:00, 2026-03-30T00:00+02:00, 23",
			"DAY, 2026-10-25T12:00+01:00[Europe/Paris], 2026-10-25T00:00+02:00, 2026-10-26T00:00+01:00, 25",
			"DAY, 2025-04-25T12:00+03:00[Africa/Cairo], 2025-04-25T01:00+03:00, 2025-04-26T00:00+03:00, 23",
			"WEEK, 2026-03-25T12:00+01:00[Europe/Paris], 2026-03-23T00:00+01:00, 2026-03-30T00:00+02:00, 167",
			"WEEK, 2026-12-31T12:00+00:00[UTC], 2026-12-28T00:00Z, 2027-01-04T00:00Z, 168",
			"WEEK, 2026-11-23T00:00+00:00[UTC], 2026-11-23T00:00Z, 2026-11-30T00:00Z, 168",
			"MONTH, 2026-03-15T12:00+01:00[Europe/Paris], 2026-03-01T00:00+01:00, 2026-04-01T00:00+02:00, 743",
			"MONTH, 2028-02-29T23:59+00:00[UTC], 2028-02-01T00:00Z, 2028-03-01T00:00Z, 696",
			"HOUR, 2026-10-25T02:30+02:00[Europe/Paris], 2026-10-25T02:00+02:00, 2026-10-25T02:00+01:00, 1",
			"HOUR, 2026-10-25T02:30+01:00[Europe/Paris], 2026-10-25T02:00+01:00, 2026-10-25T03:00+01:00, 1",
			"HOUR, 2026-03-29T01:30+01:00[Europe/Paris], 2026-03-29T01:00+01:00, 2026-03-29T03:00+02:00, 1",
			"HOUR, 2026-06-01T01:29+05:30[Asia/Kolkata], 2026-06-01T01:00+05:30, 2026-06-01T02:00+05:30, 1" })
	void windowsBeginAndEndByTheCalendar(Unit unit, ZonedDateTime at, ZonedDateTime from, ZonedDateTime to,
			long hours) {
		CalendarWindows windows = new CalendarWindows(new CalendarWindow(unit, at.getZone()));
		long[] bounds = windows.luaArguments(millis(at));
		assertThat(bounds).startsWith(0, millis(from), millis(to));
		assertThat(bounds[2] - bounds[1]).isEqualTo(Duration.ofHours(hours).toMillis());
		assertThat(windows.luaArguments(millis(at))).isSameAs(bounds);
		assertThat(bounds[3]).isEqualTo(windows.closesMillis(bounds[2], 0));
	}

	@Test
	void windowsFollowOneAnotherWithoutGaps() {
		SplittableRandom random = new SplittableRandom(3);
		for (String zone : new String[] { "Europe/Paris", "Australia/Lord_Howe", "Africa/Cairo", "America/Santiago",
				"America/St_Johns", "Pacific/Apia" }) {
			for (Unit unit : Unit.values()) {
				CalendarWindows windows = new CalendarWindows(new CalendarWindow(unit, ZoneId.of(zone)));
				for (int i = 0; i < 2000; i++) {
					long at = random.nextLong(Duration.ofDays(3650).toMillis());
					long[] bounds = new CalendarWindows(new CalendarWindow(unit, ZoneId.of(zone))).luaArguments(at);
					assertThat(at).isBetween(bounds[1], bounds[2] - 1);
					assertThat(windows.closesMillis(at, 0)).isEqualTo(bounds[2]);
					assertThat(windows.closesMillis(bounds[1], 0)).isEqualTo(bounds[2]);
					assertThat(windows.closesMillis(bounds[1] - 1, 0)).isEqualTo(bounds[1]);
					assertThat(bounds[2] - bounds[1]).isLessThanOrEqualTo(windows.longestMillis());
				}
			}
		}
	}

	private static long millis(ZonedDateTime time) {
		return time.toInstant().toEpochMilli() - LimitCalculator.EPOCH_SECONDS * 1000;
	}

}
