package dev.ratelimit.rule;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.CalendarWindow;
import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.test.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LimitTextTests {

	@ParameterizedTest
	@CsvSource({ "100/min, 100, PT1M", "100/m, 100, PT1M", "100/minute, 100, PT1M", "10/second, 10, PT1S",
			"10/hour, 10, PT1H", "10/day, 10, P1D", "10/week, 10, P7D", "10/2week, 10, P14D", "10/s, 10, PT1S",
			"1000/h, 1000, PT1H", "5000/d, 5000, P1D", "5/90s, 5, PT1M30S", "5/PT15M, 5, PT15M", "5/P2D, 5, P2D",
			"7/250ms, 7, PT0.25S", "1_000/h, 1000, PT1H", "' 3 / 2 min ', 3, PT2M", "1/366d, 1, P366D",
			"1/1ms, 1, PT0.001S" })
	void readsAQuantityAndAPeriod(String text, long quantity, Duration period) {
		assertThat(parse(text)).isEqualTo(new Limit("token-bucket", quantity, period, quantity));
	}

	@Test
	void burstReplacesTheQuantityAsCapacity() {
		assertThat(parse("100/min", "token-bucket", OptionalLong.of(150), LimitOptions.NONE).burst()).isEqualTo(150);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "100", "100/", "/min", "100 per minute", "100/minn", "100/MIN", "100/min/s",
			"-1/min", "+1/min", "1.5/s", "1e3/s", "0x10/s", "_/s", "\u0661/s", "10/-1s", "10/1.5s", "10/1 2s",
			"10/9999999999s", "10/P1Y", "10/PX", "10/pt15m", "9223372036854775808/s", "10000000000000000000000/s" })
	void invalidLimitIsRejectedWithExamples(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> parse(text))
			.withMessageEndingWith("; use a limit such as 10/s, 100/min, 1000/h, 5000/d, 5/90s, or 5/PT15M");
	}

	@ParameterizedTest
	@CsvSource({ "0/min, quantity must be at least 1", "5/0s, between 1 ms and 366 days",
			"5/367d, between 1 ms and 366 days", "5/999999999d, between 1 ms and 366 days",
			"5/PT-5S, between 1 ms and 366 days", "5/PT0.0015S, whole milliseconds" })
	void numbersOutOfRangeAreToldTheRange(String text, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> parse(text)).withMessageContaining(message);
	}

	@ParameterizedTest
	@CsvSource({ "10/minn, min", "10/days, day", "10/5 hours, hour", "10/seconds, second", "10/MIN, min" })
	void theUnitThatWasProbablyMeantIsNamed(String text, String unit) {
		assertThatIllegalArgumentException().isThrownBy(() -> parse(text))
			.withMessageContaining("is not a period (did you mean '" + unit + "'?); use a limit such as");
	}

	@Test
	void burstMustLetSomethingPass() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> parse("1/s", "token-bucket", OptionalLong.of(0), LimitOptions.NONE))
			.withMessageContaining("burst must be at least 1");
	}

	@ParameterizedTest
	@CsvSource({ "100/min, 1min, 100/min", "10/1s, 1s, 10/s", "5/90s, 90s, 5/90s", "5/PT15M, 15min, 5/15min",
			"1/24h, 1d, 1/d", "1/60min, 1h, 1/h", "3/1500ms, 1500ms, 3/1500ms", "3/10s, 10s, 3/10s", "3/1ms, 1ms, 3/ms",
			"1/120min, 2h, 1/2h" })
	void aLimitNamesItsWindowInTheLargestWholeUnit(String text, String window, String form) {
		assertThat(parse(text).window()).isEqualTo(window);
		assertThat(parse(text)).hasToString(form);
	}

	@ParameterizedTest
	@ValueSource(strings = { "100/min", "5/90s", "7/250ms", "3/1500ms", "1/d", "12/12h" })
	void textFormReadsAsTheSameLimit(String text) {
		assertThat(parse(parse(text).toString())).isEqualTo(parse(text));
	}

	@Test
	void aZoneMakesPeriodsThoseOfItsCalendar() {
		Limit limit = zoned("10_000/month", "fixed-window", "Europe/Paris");
		assertThat(limit.calendar()).hasValue(new CalendarWindow(CalendarWindow.Unit.MONTH, ZoneId.of("Europe/Paris")));
		assertThat(limit.window()).isEqualTo("1month");
		assertThat(limit).hasToString("10000/month");
		assertThat(zoned("5/d", "fixed-window", "UTC").window()).isEqualTo("1d");
		assertThat(zoned("5/1h", "fixed-window", "UTC").window()).isEqualTo("1h");
		assertThat(zoned("5/hour", "fixed-window", "UTC")).isEqualTo(zoned("5/h", "fixed-window", "UTC"));
		assertThat(zoned("5/day", "fixed-window", "UTC")).isEqualTo(zoned("5/d", "fixed-window", "UTC"));
		assertThat(zoned("5/week", "fixed-window", "UTC")).hasToString("5/week");
	}

	@ParameterizedTest
	@CsvSource({ "5/month, token-bucket, UTC, only fixed-window supports 'zone'",
			"5/d, sliding-log, UTC, only fixed-window supports 'zone'",
			"5, concurrency, UTC, only fixed-window supports 'zone'",
			"5/min, fixed-window, UTC, 'not a calendar unit; with a time zone, use'",
			"5/2d, fixed-window, UTC, not a calendar unit",
			"5/d, fixed-window, Europe/Pairs, is not a time zone; use one such as Europe/Paris" })
	void rejectsAZoneThatCannotBe(String text, String algorithm, String zone, String words) {
		assertThatIllegalArgumentException().isThrownBy(() -> zoned(text, algorithm, zone))
			.withMessageContaining(words);
	}

	@Test
	void aMonthNeedsAZone() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> parse("5/month", "fixed-window", OptionalLong.empty(), LimitOptions.NONE))
			.withMessageContaining("a month requires a time zone, such as 10_000/month Europe/Paris");
	}

	private static Limit zoned(String text, String algorithm, String zone) {
		return parse(text, algorithm, OptionalLong.empty(),
				new LimitOptions(Optional.of(zone), OptionalLong.empty(), Optional.empty()));
	}

	@Test
	void aTextCanHaveABurstAZoneOrConcurrentRequests() {
		assertThat(LimitText.split("20/min burst 1_000"))
			.isEqualTo(new LimitDefinition("20/min", OptionalLong.of(1000), Optional.empty()));
		assertThat(LimitText.split(" 5 / 2 min  burst 9 "))
			.isEqualTo(new LimitDefinition("5 / 2 min", OptionalLong.of(9), Optional.empty()));
		assertThat(LimitText.split("20 concurrent"))
			.isEqualTo(new LimitDefinition("20", OptionalLong.empty(), Optional.of("concurrency")));
		assertThat(LimitText.split("1000/day America/Argentina/Buenos_Aires")).isEqualTo(
				new LimitDefinition("1000/day", OptionalLong.empty(), Optional.of("fixed-window"), new LimitOptions(
						Optional.of("America/Argentina/Buenos_Aires"), OptionalLong.empty(), Optional.empty())));
	}

	@ParameterizedTest
	@ValueSource(strings = { "unlimited", "100/min", "5/90s", "20", "100 per minute", "20/min burst", "20/min burst -1",
			"20/min burst 30 UTC", "20/min UTC burst 30", "20/min per ip", "20 concurrent per ip", "x concurrent",
			"20/min burst 99999999999999999999", "0/min" })
	void anyOtherTextStandsForItself(String text) {
		assertThat(LimitText.split(text)).isEqualTo(new LimitDefinition(text, OptionalLong.empty(), Optional.empty()));
	}

	@Test
	void creditBelongsToTheTokenBucket() {
		LimitOptions credit = new LimitOptions(Optional.empty(), OptionalLong.of(50), Optional.empty());
		assertThat(parse("100/min", "token-bucket", OptionalLong.empty(), credit).credit()).isEqualTo(50);
		for (String algorithm : List.of("gcra", "fixed-window", "sliding-log", "leaky-bucket", "sliding-window")) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> parse("100/min", algorithm, OptionalLong.empty(), credit))
				.withMessage("only token-bucket supports 'credit'");
		}
		assertThatIllegalArgumentException().isThrownBy(() -> parse("20", "concurrency", OptionalLong.empty(), credit));
	}

	@Test
	void aNumberAloneLimitsWhatIsUnderWay() {
		Limit limit = concurrent("20", Optional.empty());
		assertThat(limit).isEqualTo(Limits.concurrent(20, Duration.ofMinutes(1))).hasToString("20");
		assertThat(limit.window()).isEqualTo("concurrent");
		assertThat(concurrent("20", Optional.of(Duration.ofSeconds(5))).period()).hasSeconds(5);
		assertThatIllegalArgumentException().isThrownBy(() -> concurrent("20/min", Optional.empty()))
			.withMessageContaining("for concurrency, use a number such as 20");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> parse("20/s", "token-bucket", OptionalLong.empty(),
					new LimitOptions(Optional.empty(), OptionalLong.empty(), Optional.of(Duration.ofSeconds(5)))))
			.withMessageContaining("only concurrency supports 'lease'");
	}

	private static Limit concurrent(String text, Optional<Duration> lease) {
		return parse(text, "concurrency", OptionalLong.empty(),
				new LimitOptions(Optional.empty(), OptionalLong.empty(), lease));
	}

	private static Limit parse(String text) {
		return parse(text, "token-bucket", OptionalLong.empty(), LimitOptions.NONE);
	}

	private static Limit parse(String text, String algorithm, OptionalLong burst, LimitOptions options) {
		return LimitText.parse(text, Algorithms.find(algorithm).orElseThrow(), burst, options);
	}

}
